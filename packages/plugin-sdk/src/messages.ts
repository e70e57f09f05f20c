import type { ChatAddress } from './addresses.js'

/** One message that the core wants shown: at most one piece, already split to the chat's limit. */
export interface OutboundMessage {
  /** CommonMark and GFM for `markdown`; shown as it is for `plain`. */
  readonly text: string
  readonly format: 'markdown' | 'plain'
  /** Platform id of the message that this one answers. */
  readonly replyTo?: string | undefined
}

/** What goes with every call of an operation that people see. */
export interface Call {
  /** One logical piece keeps one key for ever: 24 characters of base32. */
  readonly key: string
  /** Stop waiting. What may have left by then ends as `unknown`. */
  readonly signal: AbortSignal
}

/** How a send ended. `rejected` is certain: nothing of it is visible. What is neither acceptance nor certain refusal is `unknown`. */
export type SendOutcome = SentOutcome | RejectedOutcome | UnknownOutcome

/** The platform took it. */
export interface SentOutcome {
  readonly status: 'sent'
  /** All platform messages of this call in the order shown; `[]`: the platform has or tells none. */
  readonly ids: readonly string[]
  /** Where it landed, if elsewhere. */
  readonly chat?: ChatAddress | undefined
}

/** The platform certainly refused, or nothing left the process. What the core does next follows from the reason. */
export interface RejectedOutcome {
  readonly status: 'rejected'
  readonly reason: RejectReason
  readonly detail: string
  /** How long the platform asks us to wait, milliseconds. */
  readonly retryAfterMs?: number | undefined
  /** The chat's new address, with `chat-gone`. */
  readonly movedTo?: ChatAddress | undefined
  readonly cause?: unknown
}

/** Time-out, reset or abort after the request may have left, a 5xx answer, an unreadable success. Never blindly repeated. */
export interface UnknownOutcome {
  readonly status: 'unknown'
  readonly detail: string
  readonly cause?: unknown
}

/**
 * | Reason | What the core does |
 * | --- | --- |
 * | `rate-limited`, `unavailable` | waits `retryAfterMs`, else its ladder; same key |
 * | `too-long` | splits the piece |
 * | `bad-format` | sends it once as `plain`, whole |
 * | `message-gone` | sends without `replyTo` |
 * | `thread-gone` | sends to the parent chat |
 * | `chat-gone`, `forbidden` | goes to `movedTo`, else gives the piece up and says so |
 * | `declined`, `expired`, `unsupported`, `invalid` | gives the piece up, loud |
 * | `credentials` | the adapter fails, the piece waits |
 */
export type RejectReason =
  | 'rate-limited'
  | 'unavailable'
  | 'too-long'
  | 'bad-format'
  | 'message-gone'
  | 'thread-gone'
  | 'chat-gone'
  | 'forbidden'
  | 'declined'
  | 'expired'
  | 'unsupported'
  | 'invalid'
  | 'credentials'
