import { textLength, type AdapterFailure, type OutboundMessage, type RejectedOutcome, type SendOutcome } from '@hermes/plugin-sdk'
import { notices } from '../kernel/index.js'
import type { OutboxRecord } from '../store/index.js'
import { parentChatOf, type TextSize } from './compose-pieces.js'
import type { UnknownRule } from './ports.js'

/** What an outcome may change in a stored piece. */
export type PieceChanges = Partial<Pick<OutboxRecord, 'message' | 'chat' | 'attempts' | 'refusals'>>

/**
 * What follows a call. `settle`: the piece is final. `wait`: the same again, not before a date, or over the next
 * connection where the last one was at fault. `repeat`: again at once, changed.
 * `plain`: again at once, as plain text. `split`: smaller pieces take its place. `reconnect`: the same again over the next connection.
 */
export type NextStep =
  | { readonly kind: 'settle'; readonly state: 'sent' | 'dropped' | 'held' }
  | { readonly kind: 'wait'; readonly dueAt: number; readonly changes: PieceChanges; readonly endsOnConnection: boolean }
  | { readonly kind: 'repeat'; readonly changes: PieceChanges }
  | { readonly kind: 'plain' }
  | { readonly kind: 'split'; readonly size: TextSize }
  | { readonly kind: 'reconnect'; readonly failure: AdapterFailure }

/** What the decision needs beside the piece and its outcome. */
export interface Circumstances {
  readonly now: number
  /** At least 0, below 1. */
  readonly random: number
  readonly onUnknown: UnknownRule
  readonly size: TextSize
  /** The call ended a stream whose text is on the screen already. */
  readonly isStream: boolean
}

/** Waits without a date from the platform: 2, 4, 8 … 60 s, each plus up to 1 s. */
const ladder = { firstMs: 2000, longestMs: 60_000, jitterMs: 1000 }
/** A piece that the platform refuses as too long at this length is not split further. */
const smallestLength = 40
const dropped: NextStep = { kind: 'settle', state: 'dropped' }

/** The whole policy of the outbox: decides from a piece and the outcome of its call what happens next. Pure. */
export function nextStep(piece: OutboxRecord, outcome: SendOutcome, circumstances: Circumstances): NextStep {
  switch (outcome.status) {
    case 'sent':
      return { kind: 'settle', state: 'sent' }
    case 'rejected':
      return afterRejection(piece, outcome, circumstances)
    case 'unknown':
      return afterUnknown(piece, circumstances)
  }
}

function afterRejection(piece: OutboxRecord, outcome: RejectedOutcome, circumstances: Circumstances): NextStep {
  const { message, chat } = piece
  switch (outcome.reason) {
    case 'rate-limited':
    case 'unavailable':
      return waitFor(piece, outcome, circumstances)
    case 'too-long':
      return splitSmaller(message, circumstances.size)
    case 'bad-format':
      return message.format === 'plain' ? dropped : { kind: 'plain' }
    case 'message-gone':
      return message.replyTo === undefined ? dropped : repeat({ message: { ...message, replyTo: undefined } })
    case 'thread-gone':
      return moveTo(parentChatOf(chat))
    case 'chat-gone':
      return moveTo(outcome.movedTo && { ...outcome.movedTo, adapter: chat.adapter })
    case 'credentials':
      return { kind: 'reconnect', failure: { code: 'credentials', message: outcome.detail, isRetryable: false, cause: outcome.cause } }
    case 'expired':
    case 'unsupported':
      return circumstances.isStream ? repeat({}) : dropped
    case 'forbidden':
    case 'declined':
    case 'invalid':
      return dropped
    default:
      return refuseReason(outcome.reason)
  }
}

/** An adapter in plain JavaScript can answer with a reason that does not exist: it is certain all the same that nothing was shown. */
function refuseReason(_reason: never): NextStep {
  return dropped
}

function afterUnknown({ message, attempts }: OutboxRecord, { onUnknown, isStream }: Circumstances): NextStep {
  const isFirst = attempts === 0
  // The end of a stream may be asked for once more: the platform shows it once.
  if (isFirst && isStream) return repeat({ attempts: 1 })
  if (!isFirst || onUnknown === 'hold') return { kind: 'settle', state: 'held' }
  return repeat({ attempts: 1, message: { ...message, text: `${notices['delivery.repeated']()}\n\n${message.text}` } })
}

function repeat(changes: PieceChanges): NextStep {
  return { kind: 'repeat', changes: { ...changes, refusals: 0 } }
}

function moveTo(chat: OutboxRecord['chat'] | undefined): NextStep {
  return chat ? repeat({ chat }) : dropped
}

/** Where the text is within the limit as we count, the platform counts otherwise: then half of the length is the limit. */
function splitSmaller({ text }: OutboundMessage, { limit, unit }: TextSize): NextStep {
  const length = textLength(text, unit)
  if (length > limit) return { kind: 'split', size: { limit, unit } }
  if (length <= smallestLength) return dropped
  return { kind: 'split', size: { unit, limit: Math.max(smallestLength, Math.ceil(length / 2)) } }
}

/** No attempt is spent: nothing was shown. A date that the platform gave holds over a new connection, too. */
function waitFor({ refusals }: OutboxRecord, { reason, retryAfterMs }: RejectedOutcome, { now, random }: Circumstances): NextStep {
  const hasDate = retryAfterMs !== undefined && Number.isFinite(retryAfterMs) && retryAfterMs > 0
  const waitMs = hasDate ? retryAfterMs : Math.min(ladder.firstMs * 2 ** refusals, ladder.longestMs) + random * ladder.jitterMs
  return { kind: 'wait', dueAt: now + waitMs, changes: { refusals: refusals + 1 }, endsOnConnection: reason === 'unavailable' && !hasDate }
}
