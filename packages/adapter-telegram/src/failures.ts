import { neverSent, type RejectedOutcome, type RejectReason, type UnknownOutcome } from '@hermes/plugin-sdk'
import { GrammyError, HttpError } from 'grammy'
import { toChatAddress } from './addresses.js'

/** What Telegram says when it refuses, in its own words; the first that fits counts. */
const refusals: readonly (readonly [words: RegExp, reason: RejectReason])[] = [
  [/message is too long|message_too_long/i, 'too-long'],
  [/parse entities|entit(y|ies)/i, 'bad-format'],
  [/message to be replied not found|message to reply not found|replied message not found|reply_message_id_invalid/i, 'message-gone'],
  [/message thread not found|topic_(deleted|closed|id_invalid)/i, 'thread-gone'],
  [/chat not found|peer_id_invalid/i, 'chat-gone'],
  [/not enough rights|have no rights|chat_write_forbidden|not a member/i, 'forbidden'],
]

/** What came of a send that failed. Nothing of the error itself goes along: its URLs hold the token. */
export function toSendOutcome(error: unknown): RejectedOutcome | UnknownOutcome {
  const detail = describeFailure(error)
  if (error instanceof GrammyError) return toRefusal(error, detail)
  if (neverSent(error)) return { status: 'rejected', reason: 'unavailable', detail }
  return { status: 'unknown', detail }
}

function toRefusal(error: GrammyError, detail: string): RejectedOutcome | UnknownOutcome {
  const rejected = (reason: RejectReason): RejectedOutcome => ({ status: 'rejected', reason, detail })
  const movedTo = error.parameters.migrate_to_chat_id
  if (movedTo !== undefined) return { ...rejected('chat-gone'), movedTo: toChatAddress(movedTo) }
  if (error.error_code === 429) return { ...rejected('rate-limited'), retryAfterMs: readRetryAfterMs(error) }
  if (error.error_code === 401) return rejected('credentials')
  if (error.error_code === 403) return rejected('forbidden')
  if (!isRefusal(error)) return { status: 'unknown', detail }
  return rejected(refusals.find(([words]) => words.test(error.description))?.[1] ?? 'invalid')
}

function isRefusal(error: GrammyError): boolean {
  return error.error_code >= 400 && error.error_code < 500
}

/** What a failed poll or a failed connect means for the connection. */
export type Trouble =
  | { readonly kind: 'credentials' | 'not-found' | 'conflict' | 'server-error' | 'network'; readonly detail: string }
  | { readonly kind: 'rate-limited'; readonly detail: string; readonly retryAfterMs: number }

/** Reads the trouble that an error of the connection stands for. */
export function toTrouble(error: unknown): Trouble {
  const detail = describeFailure(error)
  if (!(error instanceof GrammyError)) return { kind: isUnreadable(error) ? 'server-error' : 'network', detail }
  if (error.error_code === 429) return { kind: 'rate-limited', detail, retryAfterMs: readRetryAfterMs(error) ?? 1000 }
  if (error.error_code === 401) return { kind: 'credentials', detail }
  if (error.error_code === 404) return { kind: 'not-found', detail }
  if (error.error_code === 409) return { kind: 'conflict', detail }
  return { kind: error.error_code >= 500 ? 'server-error' : 'network', detail }
}

/** An answer that is no JSON, or not what the Bot API answers, comes from a proxy in front of a sick server. */
function isUnreadable(error: unknown): boolean {
  if (!(error instanceof HttpError)) return true
  const { error: inner } = error
  return typeof inner === 'object' && inner !== null && 'type' in inner && inner.type === 'invalid-json'
}

function readRetryAfterMs(error: GrammyError): number | undefined {
  const seconds: unknown = error.parameters.retry_after
  return typeof seconds === 'number' && seconds >= 0 ? seconds * 1000 : undefined
}

/** A line about a failure that holds no secret: Telegram's own words, or the code of a lost connection. */
function describeFailure(error: unknown): string {
  if (error instanceof GrammyError) return `Telegram answered ${error.error_code} to ${error.method}: ${error.description}`
  if (!(error instanceof HttpError)) return 'Telegram sent an answer that is none of the Bot API'
  const inner = error.error
  if (typeof inner !== 'object' || inner === null) return 'the connection to Telegram failed'
  if ('code' in inner && typeof inner.code === 'string') return `the connection to Telegram failed (${inner.code})`
  if ('name' in inner && inner.name === 'AbortError') return 'the call to Telegram was ended before its answer came'
  if (isUnreadable(error)) return 'Telegram sent an answer that is no JSON'
  return 'the connection to Telegram failed or took too long'
}
