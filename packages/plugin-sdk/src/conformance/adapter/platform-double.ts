import type { Adapter } from '../../adapter.js'
import type { ChatAddress } from '../../addresses.js'
import type { Awaitable } from '../../json.js'

/** What of an adapter's work meets a fault. `connect`: the first request of a connect; `receive`: the waiting for events. */
export type DoubledOperation = 'connect' | 'receive' | 'send'

/**
 * What goes wrong at the platform.
 *
 * - `refuse-connection`: nobody listens, until the double stops. `drop-before` and `drop-after`: the connection is reset before or
 *   after the work is done. `error-after`: done, and answered with a failure of the server. `garbage`: done, and answered with what
 *   nobody can read. `hang`: nothing is done and nothing is said.
 * - The others are the platform's own refusals.
 */
export type FaultKind =
  | 'refuse-connection'
  | 'drop-before'
  | 'drop-after'
  | 'error-after'
  | 'garbage'
  | 'hang'
  | 'rate-limit'
  | 'too-long'
  | 'bad-format'
  | 'message-gone'
  | 'thread-gone'
  | 'chat-gone'
  | 'forbidden'
  | 'bad-token'

/** A message of the bot as people see it now. */
export interface ShownText {
  /** The platform's id of the message. */
  readonly id: string
  readonly text: string
}

/**
 * The author's double of the platform. It speaks the real wire on loopback, so that the real SDK runs. An optional member that is
 * missing fails the cases that need it, until the author skips them with a reason.
 */
export interface PlatformDouble {
  readonly chats: { readonly dm: ChatAddress; readonly group?: ChatAddress | undefined }
  /** A person writes, also while no adapter is connected. Gives back the platform's id of the message. */
  say(chat: ChatAddress, text: string): Awaitable<string>
  /** A person sends a file. */
  share?(chat: ChatAddress, bytes: Uint8Array): Awaitable<void>
  /** A person changes a message. */
  edit?(id: string, text: string): Awaitable<void>
  /** A person reacts to a message. */
  react?(id: string, emoji: string): Awaitable<void>
  /** Does the platform know that we have this message? */
  isAcknowledged?(id: string): boolean
  /** The messages of the bot in a chat, oldest first. */
  shown(chat: ChatAddress): readonly ShownText[]
  /** The platform's own menu: the names of its commands, and how often it was set. */
  menu?(): { readonly names: readonly string[]; readonly changes: number }
  /** From now on, for one request, the operation meets this fault. Throws for a fault that the platform cannot have. */
  fault(operation: DoubledOperation, kind: FaultKind, options?: { readonly retryAfterMs?: number | undefined }): Awaitable<void>
  /** Puts a handler on the native object that throws at the next event. */
  spoil?(native: unknown): void
  /** Drops every live connection; new ones are taken. */
  cut(): Awaitable<void>
  /** Keeps every connection open, and says nothing more. */
  freeze(): Awaitable<void>
  /** Ends it, with what hangs. */
  stop(): Promise<void>
}

/** A platform, and adapters that find it. */
export interface AdapterUnderTest {
  readonly double: PlatformDouble
  /** What must never appear in an error or a log: the bot's token. */
  readonly secrets: readonly string[]
  readonly create: () => Adapter
}
