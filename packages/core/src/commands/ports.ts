import type { Author, Clock, Command, Logger, RoutedChat } from '@hermes/plugin-sdk'
import type { HookBus } from '../hooks/index.js'
import type { Ids } from '../kernel/index.js'
import type { NewOutboxRecord, OutboxRecord, StateStore } from '../store/index.js'

/** A command that somebody typed. */
export interface CommandCall {
  /** Its row in the inbox; the reply settles it. */
  readonly seq: number
  readonly name: string
  readonly args: string
  readonly author: Author
  readonly chat: RoutedChat
  readonly sessionKey: string
  /** Platform id of the message that the reply answers; none in a direct chat. */
  readonly replyTo?: string | undefined
}

/** What commands need of the turns. */
export interface CommandTurns {
  isBusy(lane: string): boolean
  stop(lane: string, kind: 'stop'): Promise<boolean>
  abandon(lane: string): void
  wake(lane: string): void
  readonly running: number
}

/** What commands need of the delivery. */
export interface CommandDelivery {
  compose(
    chat: RoutedChat,
    text: string,
    about: { readonly replyTo?: string | undefined; readonly format: 'plain' | 'markdown' },
  ): readonly NewOutboxRecord[]
  take(rows: readonly OutboxRecord[]): void
}

/** What commands need of the house. */
export interface CommandPorts {
  readonly store: StateStore
  readonly turns: CommandTurns
  readonly delivery: CommandDelivery
  readonly hooks: Pick<HookBus, 'tell'>
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
  /** Commands of plugins, by name. */
  pluginCommand(name: string): Command | undefined
  pluginCommands(): readonly Command[]
}
