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

/** What a person may add to a text. A double throws for what its platform does not have. */
export interface Saying {
  /** Who says it, by a name of the suite's own: one name, one person. `null`: the platform does not tell who. Default: always the same person. */
  readonly from?: string | null | undefined
  /** A file comes along. */
  readonly file?: Uint8Array | undefined
  /** Messages with the same key are one album. */
  readonly album?: string | undefined
  /** It speaks to the bot in the way of the platform; the mention is no part of the text that the suite gives. */
  readonly mentionsUs?: boolean | undefined
}

/** What a person does to a message: `press`: the data of a button below it. */
export type PersonAct =
  | { readonly edit: string }
  | { readonly react: string }
  | { readonly unreact: string }
  | { readonly press: string }
  | { readonly remove: true }

/** How a request of the platform is made. */
export interface RequestMaking {
  /** The time by the clock of the adapter's host, which is not that of this machine. Milliseconds since the epoch. */
  readonly now: number
  /** Default: nothing is wrong with it. */
  readonly flaw?: RequestFlaw | undefined
}

/**
 * What is wrong with a request of the platform. `unsigned`, `forged`: no signature, and that of somebody else. `altered`: the signature is
 * of another body. `stale`, `future`: well signed, an hour ago or from now. `malformed`: well signed, and nobody can read it.
 */
export type RequestFlaw = 'unsigned' | 'forged' | 'altered' | 'stale' | 'future' | 'malformed'

/** A message of the bot as people see it now. */
export interface ShownText {
  /** The platform's id of the message. */
  readonly id: string
  readonly text: string
  /** Whom a mention in it called. Absent: the platform has nothing like that. */
  readonly pings?: readonly string[] | undefined
  /** Links of it that are shown with a preview. Absent: the platform has nothing like that. */
  readonly previews?: readonly string[] | undefined
}

/**
 * The author's double of the platform. It speaks the real wire on loopback, so that the real SDK runs. An optional member that is
 * missing, and what the double throws for because its platform does not have it, fails the cases that need it, until the author
 * skips them with a reason. Ids are the platform's ids of messages.
 */
export interface PlatformDouble {
  readonly chats: { readonly dm: ChatAddress; readonly group?: ChatAddress | undefined }
  /** A person writes, also while no adapter is connected. Gives back the id of the message. */
  say(chat: ChatAddress, text: string, more?: Saying): Awaitable<string>
  /** A person does something to a message. */
  act?(id: string, act: PersonAct): Awaitable<void>
  /** A person runs what the platform itself knows as a command. */
  command?(chat: ChatAddress, name: string, args: string): Awaitable<void>
  /** The platform delivers a message once more. */
  redeliver?(id: string): Awaitable<void>
  /** Does the platform know that we have this message? */
  isAcknowledged?(id: string): boolean
  /** For webhooks: the request that would bring a new text of a person. Nothing is sent. */
  request?(chat: ChatAddress, text: string, making: RequestMaking): Awaitable<Request>
  /** The messages of the bot in a chat, oldest first. */
  shown(chat: ChatAddress): readonly ShownText[]
  /** The platform's own menu: the names of its commands, and how often it was set. */
  menu?(): { readonly names: readonly string[]; readonly changes: number }
  /** From now on, for one request, the operation meets this fault. Throws for a fault that the platform cannot have. */
  fault(operation: DoubledOperation, kind: FaultKind, options?: { readonly retryAfterMs?: number | undefined }): Awaitable<void>
  /** Puts a handler on the native object that throws, or never ends, at every event. */
  spoil?(native: unknown, defect: 'throws' | 'hangs'): void
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
