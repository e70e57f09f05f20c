import type { ChatAddress } from './addresses.js'
import type { ChatCapabilities } from './capabilities.js'
import type { CommandMenu, CommandSpec } from './command-menu.js'
import type { Attachment, InboundEvent, Receipt } from './events.js'
import type { Call, OutboundMessage, SendOutcome } from './messages.js'
import type { Clock, Logger } from './services.js'

/**
 * The native object of each platform, for plugins that want it. Empty here; a platform package adds its own:
 * `declare module '@hermes/plugin-sdk' { interface PlatformNatives { telegram: Bot } }`
 */
export interface PlatformNatives {}

/** The native object of a platform; `unknown` while its package is not imported. */
export type NativeOf<P extends string> = P extends keyof PlatformNatives ? PlatformNatives[P] : unknown

/**
 * One object, one connection. The presence of an optional method is the capability.
 *
 * An adapter states facts and the core decides: who may speak, splitting, retries, fallbacks and pace are the core's.
 */
export interface Adapter<P extends string = string> {
  readonly platform: P
  /** The bot account, where the options alone tell it; default: the instance name. It must not be a secret. */
  readonly account?: string | undefined
  /** Silence of `context.alive()` after which the core reconnects, milliseconds. Default: never. */
  readonly stallAfterMs?: number | undefined
  /** What the platform's own command menu takes. Needed where `publishCommands` is there. */
  readonly commandMenu?: CommandMenu | undefined
  /** Resolves when events flow. Throw `adapterError(failure)`; anything else thrown counts as retryable. */
  connect(context: AdapterContext<P>): Promise<void>
  /** At any time, twice, after half a connect; leaves no timer, socket or listener. `hurry` aborts when the budget (5 s) is over. */
  disconnect(hurry: AbortSignal): Promise<void>
  /** A synchronous look-up, total for any address. */
  capabilities(chat: ChatAddress): ChatCapabilities
  /** One visible effect, one outcome. A throw counts as `unknown` and as the adapter's defect. */
  send(chat: ChatAddress, message: OutboundMessage, call: Call): Promise<SendOutcome>
  /** Needed where `capabilities` declares a stream. */
  stream?(chat: ChatAddress, opening: { readonly replyTo?: string | undefined }): MessageStream
  /**
   * Fetches the bytes of a file that this platform told of, also long ago and over an earlier connection. Rejects with a reason that
   * people may read: it stands in the conversation in the file's place. Without it, no file is ever fetched.
   */
  openAttachment?(attachment: Attachment, signal: AbortSignal): Promise<OpenedAttachment>
  /**
   * Shows these commands, and no others, in the platform's own menu; called after a connect and when they change. What is shown
   * already is not sent again. A rejection is said in the log, nothing else.
   */
  publishCommands?(commands: readonly CommandSpec[], signal: AbortSignal): Promise<void>
  /**
   * A request of the platform, as `gateway.handleRequest` got it: verify it by its raw body, `receive` what it brings, and answer
   * 2xx only then.
   */
  handleRequest?(request: Request): Promise<Response>
}

/** The bytes of an attachment, and what the platform says of them. Whoever stops reading early ends `body`. */
export interface OpenedAttachment {
  readonly body: AsyncIterable<Uint8Array>
  readonly mime?: string | undefined
  /** Bytes. */
  readonly size?: number | undefined
}

/** One growing message. Texts extend each other; `finish` makes the stream the message. */
export interface MessageStream {
  update(frame: { readonly text: string }, call: Call): Promise<SendOutcome>
  /** May be called once more after `unknown`; the message is shown once. */
  finish(message: OutboundMessage, call: Call): Promise<SendOutcome>
  /** Ends it with what is on screen. Never throws. */
  abandon(): Promise<void>
}

/** What the core lends an adapter for one connection. */
export interface AdapterContext<P extends string = string> {
  /** `false` only on a true first boot: then the platform's stale queue may be dropped. `true`: it must be kept. */
  readonly isReconnect: boolean
  /** This connection is to end. It bounds `connect`, too. */
  readonly signal: AbortSignal
  readonly logger: Logger
  readonly clock: Clock
  /**
   * Resolves when the event is durable, known, or certainly unwanted: then acknowledge. Rejects with `inbox.unavailable` when
   * nothing was stored: do not acknowledge; all events that wait behind a rejected one reject as well, so that order holds.
   * The order of calls is the order of events: do not await one before the next.
   */
  receive(event: InboundEvent): Promise<Receipt>
  /** Call it with the native object before its dispatch freezes. A connect without it fails as `adapter.not-wired`. Never rejects. */
  wireNative(native: NativeOf<P>): Promise<void>
  /** The wire gave proof of life; ends `degraded`. */
  alive(): void
  /** Connected, but not well; shown in `health()`. */
  degraded(reason: string): void
  /** The commands as `publishCommands` gets them, for a handshake that carries the menu. */
  commands(): readonly CommandSpec[]
  /** The connection is lost, after `connect`. Inside `connect` throw `adapterError(failure)`. */
  fail(failure: AdapterFailure): void
}

/** Why an adapter cannot work. Retryable failures are tried again by the core's ladder, others end `fatal`. */
export interface AdapterFailure {
  readonly code: 'credentials' | 'conflict' | 'network' | 'protocol' | 'misconfigured' | (string & {})
  readonly message: string
  readonly isRetryable: boolean
  readonly retryAfterMs?: number | undefined
  readonly cause?: unknown
}
