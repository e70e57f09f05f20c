import type { Adapter, AdapterFailure, ChatCapabilities, Clock, Logger, OutboundMessage, RoutedChat, SendOutcome, TurnId } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import type { NewOutboxRecord, OutboxRecord, StateStore } from '../store/index.js'

/** What the delivery needs of the adapters. */
export interface ConnectedAdapters {
  /** `undefined` while the instance is not connected. */
  get(name: string): Adapter | undefined
  /** Of the live object, else of the last one known; a default where there was none yet. */
  capabilities(chat: RoutedChat): ChatCapabilities
  /** The platform refuses our credentials: the connection is of no use. */
  fail(name: string, failure: AdapterFailure): void
}

/** What the delivery needs of the house. */
export interface DeliveryPorts {
  readonly store: StateStore
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly adapters: ConnectedAdapters
  /** Hears how every call of a piece ended. `isLast`: the piece is final. */
  onOutcome(row: OutboxRecord, about: { readonly outcome: SendOutcome; readonly isLast: boolean }): void
  /** What becomes of a piece whose call may or may not have been seen. Default `repeat-marked`. */
  readonly onUnknown?: UnknownRule | undefined
  /** The longest call of an adapter, milliseconds. Default 60 000. */
  readonly sendTimeoutMs?: number | undefined
}

/** `repeat-marked`: sent once more under a line that says so, then held. `hold`: held at once. An operator decides about what is held. */
export type UnknownRule = 'repeat-marked' | 'hold'

/** What belongs to a text that is to be shown. */
export interface ComposeOptions {
  readonly turn?: TurnId | undefined
  readonly lane?: string | undefined
  /** Platform id of the message that the first piece answers. */
  readonly replyTo?: string | undefined
  /** Default `markdown`. */
  readonly format?: OutboundMessage['format'] | undefined
}

/** What belongs to a growing message. */
export interface LiveOptions {
  readonly turn: TurnId
  /** Platform id of the message that it answers. */
  readonly replyTo?: string | undefined
}

/** Shows what is stored in the outbox, exactly once where the platform lets it, and in order within each chat. */
export interface Delivery {
  /**
   * Splits a text into rows for the outbox; a blank text gives none. The first row is `attempting` where its call would follow at
   * once: the chat is idle and its adapter connected. Store the rows and hand the stored ones to `take`, or to a live message.
   */
  compose(chat: RoutedChat, text: string, options?: ComposeOptions): readonly NewOutboxRecord[]
  /** Delivers stored rows. What does not fit into memory, or has no connection, is loaded from the store in its time. */
  take(rows: readonly OutboxRecord[]): void
  /**
   * Says something short once, in its turn in the chat, and stores nothing of it: for what must lie in no file, and for what a flood
   * makes us say. Never rejects.
   */
  tell(chat: RoutedChat, text: string, replyTo?: string): Promise<SendOutcome>
  /** The one message of a turn while it grows. */
  live(chat: RoutedChat, about: LiveOptions): LiveMessage
  /**
   * The instance connected, again or for the first time: its rows go on. Resolves when what was due before is loaded, or as much of
   * it as memory takes; at the first connect a row that was `attempting` counts as `unknown`. Never rejects.
   */
  connected(adapter: string): Promise<void>
  /** Over all adapters. */
  status(): DeliveryStatus
  /** Pieces of the chat that wait in memory or are under way. */
  waiting(chat: RoutedChat): number
  /**
   * Begins no more calls, waits up to 5 s for those under way and aborts the rest, whose rows stay `attempting` in the store.
   * Idempotent. Never rejects.
   */
  stop(): Promise<void>
}

/** What waits, and what became of the pieces since the start. */
export interface DeliveryStatus {
  /** Pieces in memory that are not final. */
  readonly waiting: number
  /** More may wait in the store. */
  readonly hasMore: boolean
  readonly sent: number
  /** Given up. */
  readonly dropped: number
  /** Possibly shown, and not to be repeated; an operator decides. */
  readonly held: number
}

/**
 * A message while it grows. Only where the platform's stream is the message does anything show before `finish`; a failure on the
 * way costs nothing but the early sight. Nothing here throws, and nothing follows after `finish` or `abandon`.
 */
export interface LiveMessage {
  /** The text that is to be seen by now, whole. A text that does not extend what is shown is not shown early. */
  set(text: string): void
  /** What is shown stays; the next text begins a message of its own. */
  segment(): void
  /** The stored rows of the final text; they are delivered as `take` does, and the stream becomes the message if it can. */
  finish(rows: readonly OutboxRecord[]): void
  /** There is no final text: what is shown stays. */
  abandon(): void
}
