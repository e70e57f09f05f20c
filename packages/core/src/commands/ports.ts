import type { Author, Clock, Command, Logger, RoutedChat } from '@hermes/plugin-sdk'
import type { CallRecord, HookBus } from '../hooks/index.js'
import type { Ids } from '../kernel/index.js'
import type { InboxSettlement, NewOutboxRecord, OutboxRecord, StateStore } from '../store/index.js'

/** By whose rights somebody calls: an admin; somebody who is none, where there are some; anybody, where no admins are named. */
export type CallerTier = 'admin' | 'user' | 'ungated'

/** A command that somebody typed. */
export interface CommandCall {
  /** Its row in the inbox; the reply settles it. */
  readonly seq: number
  readonly name: string
  readonly args: string
  readonly author: Author
  readonly tier: CallerTier
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

/** Somebody who waits to be let in. */
export interface WaitingPerson {
  readonly userId: string
  readonly name?: string | undefined
}

/** What commands need of the access. */
export interface CommandPairing {
  /** An approval takes the reply and the end of the command's row into its transaction, and delivers the reply. */
  approve(
    choice: { readonly adapter: string; readonly code: string },
    frame: { readonly by: string; readonly settles: InboxSettlement; reply(person: WaitingPerson): readonly NewOutboxRecord[] },
  ): Promise<{ readonly outcome: 'approved' } | { readonly outcome: 'unknown' } | { readonly outcome: 'locked'; readonly until: number }>
}

/** What commands need of the house. */
export interface CommandPorts {
  readonly store: StateStore
  readonly turns: CommandTurns
  readonly delivery: CommandDelivery
  readonly pairing: CommandPairing
  readonly hooks: Pick<HookBus, 'tell'>
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
  /** Commands of plugins, by name. */
  pluginCommand(name: string): Command | undefined
  pluginCommands(): readonly Command[]
  /** Where it is counted how a command of a plugin does. */
  recordOf(command: Command): CallRecord | undefined
}
