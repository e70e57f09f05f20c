import type { Clock, Logger, RoutedChat, SendOutcome, SharedOptions } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import type { NewOutboxRecord, OutboxRecord, StateStore } from '../store/index.js'

/** What the access needs of the delivery. */
export interface AccessDelivery {
  compose(chat: RoutedChat, text: string, about: { readonly replyTo?: string | undefined; readonly format: 'plain' }): readonly NewOutboxRecord[]
  take(rows: readonly OutboxRecord[]): void
  /** Says something that is stored nowhere. Never rejects. */
  tell(chat: RoutedChat, text: string, replyTo?: string): Promise<SendOutcome>
}

/** What the access needs of the house. */
export interface AccessPorts {
  readonly store: StateStore
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
  readonly delivery: AccessDelivery
  /** Events of one sender that are taken within a minute; 0: all. */
  readonly messagesPerMinute: number
  /** The access options of an adapter instance; `undefined` while no plugin brings it. */
  optionsOf(adapter: string): SharedOptions | undefined
  /** Since when its connection stands, milliseconds since the epoch. */
  connectedSince(adapter: string): number | undefined
}
