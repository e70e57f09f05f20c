import type { JsonObject } from './json.js'

/**
 * Where a conversation lives. It is stored, and handed back on every call.
 * Two addresses are the same chat when `platform`, `scopeId`, `chatId` and `threadId` are equal.
 */
export interface ChatAddress {
  /** What people see: `slack`, also when it came over a relay. */
  readonly platform: string
  /** A function of the ids, never of the event: it is part of the session key. */
  readonly kind: 'dm' | 'group' | 'channel' | 'thread' | 'forum'
  readonly chatId: string
  readonly threadId?: string | undefined
  /** Workspace or guild. */
  readonly scopeId?: string | undefined
  /** Up to 2 KB that the adapter needs to speak here again; the newest event's replaces older. */
  readonly adapterData?: JsonObject | undefined
}

/** A chat, and the instance of the adapter that serves it. The core stamps the instance. */
export interface RoutedChat extends ChatAddress {
  readonly adapter: string
}

/** Who wrote. */
export interface Author {
  /** Immutable: access decides by ids, never by a name. */
  readonly id: string
  readonly name?: string | undefined
  /** BCP 47. */
  readonly language?: string | undefined
  readonly isBot: boolean
  /** Ids of roles, verified by the platform in this very chat. */
  readonly roles?: readonly string[] | undefined
}
