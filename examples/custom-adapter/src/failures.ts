import { neverSent, type AdapterFailure, type RejectReason, type SendOutcome } from '@hermes/plugin-sdk'
import { PostboxRefusal } from './postbox-client.js'

/** The platform's words for why it refuses, in ours. */
const reasons: ReadonlyMap<string, RejectReason> = new Map([
  ['bad-token', 'credentials'],
  ['slow-down', 'rate-limited'],
  ['too-long', 'too-long'],
  ['no-such-message', 'message-gone'],
  ['no-such-chat', 'chat-gone'],
  ['not-allowed', 'forbidden'],
])

/**
 * What became of a send that failed. Only two things are certain: the platform refused (4xx), or nothing left the process. All else
 * may have been shown, and is never sent again by itself.
 */
export function toOutcome(error: unknown): SendOutcome {
  const detail = describe(error)
  if (error instanceof PostboxRefusal && error.status < 500)
    return { status: 'rejected', reason: reasons.get(error.word) ?? 'invalid', detail, retryAfterMs: error.retryAfterMs }
  if (neverSent(error)) return { status: 'rejected', reason: 'unavailable', detail }
  return { status: 'unknown', detail }
}

/** What a failed call means for the connection. */
export function toFailure(error: unknown): AdapterFailure {
  const message = describe(error)
  if (error instanceof PostboxRefusal && error.word === 'bad-token') return { code: 'credentials', message, isRetryable: false }
  return { code: 'network', message, isRetryable: true, ...(error instanceof PostboxRefusal && { retryAfterMs: error.retryAfterMs }) }
}

/** A line that holds nothing secret: errors of a library may hold the whole request. */
function describe(error: unknown): string {
  return error instanceof PostboxRefusal ? error.message : 'The connection to the postbox failed, or its answer could not be read.'
}
