import type { AdapterContext } from '@hermes/plugin-sdk'
import type { Api } from 'grammy'
import type { Update } from 'grammy/types'
import type { TelegramOptions } from '../options.js'
import type { UpdateIntake } from './update-intake.js'

/** As the Bot API names them: `message`, `inline_query`, … */
export type UpdateKind = Exclude<keyof Update, 'update_id'>

/** One of the ways in which updates come. */
export interface Transport {
  /** Takes no more. Never rejects; `hurry` ends what it still waits for. */
  end(hurry: AbortSignal): Promise<void>
  /** Updates come as requests. */
  handleRequest?(request: Request): Promise<Response>
}

/** What a transport works with. */
export interface TransportParts {
  readonly api: Api
  readonly intake: UpdateIntake
  readonly context: AdapterContext<'telegram'>
  readonly options: TelegramOptions
  /** The kinds of updates that Telegram is asked for. */
  readonly updateKinds: readonly UpdateKind[]
  /** Aborts when the connection is to end. */
  readonly signal: AbortSignal
  /** What waits at Telegram is dropped: a first boot. */
  readonly dropsQueue: boolean
}
