import type { InboundEvent } from '@hermes/plugin-sdk'
import type { BotIdentity } from './inbound-text.js'

/** What an update became: events, or the reason why it is none. */
export type ReadUpdate = { readonly events: readonly InboundEvent[] } | { readonly skipped: SkipReason }

/** `service`: nobody said anything. `own`: our own message came back. `foreign-button`: it belongs to no prompt of ours. */
export type SkipReason = 'unknown-kind' | 'malformed' | 'no-sender' | 'service' | 'own' | 'foreign-button'

/** What is known of an update before its content is read. */
export interface Reading {
  readonly updateId: number
  readonly us: BotIdentity
  /** The time for happenings of which Telegram tells none, milliseconds since the epoch. */
  readonly now: number
}
