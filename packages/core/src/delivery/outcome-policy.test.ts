import type { RejectedOutcome, RejectReason, SendOutcome } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import type { OutboxRecord } from '../store/index.js'
import { nextStep, type Circumstances } from './outcome-policy.js'

const row: OutboxRecord = {
  key: 'key',
  seq: 1,
  chat: { adapter: 'bot', platform: 'test', kind: 'group', chatId: 'c' },
  message: { text: '**hello**', format: 'markdown' },
  piece: { index: 0, count: 1 },
  state: 'attempting',
  attempts: 0,
  refusals: 0,
  dueAt: 0,
  createdAt: 0,
  updatedAt: 0,
}
const usual: Circumstances = { now: 1000, random: 0.5, onUnknown: 'repeat-marked', size: { limit: 4096, unit: 'utf16' }, isStream: false }
const unknown: SendOutcome = { status: 'unknown', detail: 'timed out' }
const rejected = (reason: RejectReason, more: Partial<RejectedOutcome> = {}): SendOutcome => ({ status: 'rejected', reason, detail: 'no', ...more })
const dropped = { kind: 'settle', state: 'dropped' }

describe('what follows a call', () => {
  it('settles what was sent', () => {
    expect(nextStep(row, { status: 'sent', ids: ['1'] }, usual)).toEqual({ kind: 'settle', state: 'sent' })
  })

  it.each([
    [0, 2500],
    [1, 4500],
    [4, 32_500],
    [5, 60_500],
    [2000, 60_500],
  ])('climbs the ladder: after %i refusals it waits %i ms, half a second of them by chance', (refusals, waitMs) => {
    for (const reason of ['rate-limited', 'unavailable'] as const)
      expect(nextStep({ ...row, refusals }, rejected(reason), usual)).toMatchObject({
        kind: 'wait',
        dueAt: 1000 + waitMs,
        changes: { refusals: refusals + 1 },
      })
  })

  it('waits as long as the platform asks, and over a new connection too', () => {
    for (const reason of ['rate-limited', 'unavailable'] as const)
      expect(nextStep(row, rejected(reason, { retryAfterMs: 90_000 }), usual)).toMatchObject({ kind: 'wait', dueAt: 91_000, endsOnConnection: false })
  })

  it.each([0, -1, NaN, Infinity])('takes the ladder where the platform asks for %d ms', (retryAfterMs) => {
    expect(nextStep(row, rejected('rate-limited', { retryAfterMs }), usual)).toMatchObject({ dueAt: 3500 })
  })

  it('ends the wait for an unavailable platform with the next connection', () => {
    expect(nextStep(row, rejected('unavailable'), usual)).toMatchObject({ kind: 'wait', endsOnConnection: true })
    expect(nextStep(row, rejected('rate-limited'), usual)).toMatchObject({ kind: 'wait', endsOnConnection: false })
  })

  it('splits what is too long: at the limit, else at half of what the platform refused', () => {
    const long = (length: number): OutboxRecord => ({ ...row, message: { text: 'x'.repeat(length), format: 'plain' } })
    expect(nextStep(long(5000), rejected('too-long'), usual)).toEqual({ kind: 'split', size: { limit: 4096, unit: 'utf16' } })
    expect(nextStep(long(4000), rejected('too-long'), usual)).toEqual({ kind: 'split', size: { limit: 2000, unit: 'utf16' } })
    expect(nextStep(long(40), rejected('too-long'), usual)).toEqual(dropped)
  })

  it('sends what has a bad format once as plain text', () => {
    const step = nextStep(row, rejected('bad-format'), usual)
    expect(step).toEqual({ kind: 'plain' })
    expect(nextStep({ ...row, message: { text: 'hello', format: 'plain' } }, rejected('bad-format'), usual)).toEqual(dropped)
  })

  it('sends without the answered message when that is gone, and gives up when there was none', () => {
    const answer: OutboxRecord = { ...row, message: { ...row.message, replyTo: '7' } }
    expect(nextStep(answer, rejected('message-gone'), usual)).toMatchObject({
      kind: 'repeat',
      changes: { message: { text: '**hello**', replyTo: undefined } },
    })
    expect(nextStep(row, rejected('message-gone'), usual)).toEqual(dropped)
  })

  it('sends to the parent of a thread that is gone, and gives up when there is none', () => {
    const thread: OutboxRecord = { ...row, chat: { ...row.chat, threadId: '9' } }
    expect(nextStep(thread, rejected('thread-gone'), usual)).toEqual({ kind: 'repeat', changes: { refusals: 0, chat: row.chat } })
    expect(nextStep(row, rejected('thread-gone'), usual)).toEqual(dropped)
  })

  it('follows a chat that moved, on the same instance, and gives up when it did not say where', () => {
    const movedTo = { platform: 'test', kind: 'group', chatId: 'new' } as const
    expect(nextStep(row, rejected('chat-gone', { movedTo }), usual)).toEqual({
      kind: 'repeat',
      changes: { refusals: 0, chat: { ...movedTo, adapter: 'bot' } },
    })
    expect(nextStep(row, rejected('chat-gone'), usual)).toEqual(dropped)
  })

  it.each(['forbidden', 'declined', 'expired', 'unsupported', 'invalid', 'no-such-reason' as RejectReason] as const)(
    'gives up what is %s',
    (reason) => {
      expect(nextStep(row, rejected(reason), usual)).toEqual(dropped)
    },
  )

  it('fails the adapter when its credentials are refused', () => {
    expect(nextStep(row, rejected('credentials'), usual)).toMatchObject({ kind: 'reconnect', failure: { code: 'credentials', isRetryable: false } })
  })

  it('repeats an unknown call once, marked, then holds', () => {
    expect(nextStep(row, unknown, usual)).toMatchObject({
      kind: 'repeat',
      changes: { attempts: 1, message: { text: '↻ possibly repeated:\n\n**hello**' } },
    })
    expect(nextStep({ ...row, attempts: 1 }, unknown, usual)).toEqual({ kind: 'settle', state: 'held' })
    expect(nextStep(row, unknown, { ...usual, onUnknown: 'hold' })).toEqual({ kind: 'settle', state: 'held' })
  })

  it('ends a stream once more after unknown, unmarked, whatever the rule', () => {
    for (const onUnknown of ['repeat-marked', 'hold'] as const)
      expect(nextStep(row, unknown, { ...usual, onUnknown, isStream: true })).toEqual({ kind: 'repeat', changes: { attempts: 1, refusals: 0 } })
    expect(nextStep({ ...row, attempts: 1 }, unknown, { ...usual, isStream: true })).toEqual({ kind: 'settle', state: 'held' })
  })

  it.each(['expired', 'unsupported'] as const)('goes on by an ordinary send when the stream is %s', (reason) => {
    expect(nextStep(row, rejected(reason), { ...usual, isStream: true })).toEqual({ kind: 'repeat', changes: { refusals: 0 } })
  })
})
