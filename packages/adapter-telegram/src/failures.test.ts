import { GrammyError, HttpError } from 'grammy'
import { describe, expect, test } from 'vitest'
import { toSendOutcome, toTrouble } from './failures.js'

const token = '123:planted'
function refusal(code: number, description: string, parameters = {}): GrammyError {
  return new GrammyError('failed', { ok: false, error_code: code, description, parameters }, 'sendMessage', {})
}
const lost = (fields: object): HttpError =>
  new HttpError('failed', Object.assign(new Error(`request to http://x/bot${token}/sendMessage failed`), fields))

describe('toSendOutcome', () => {
  test.each([
    [429, 'Too Many Requests: retry after 90', 'rate-limited'],
    [400, "Bad Request: can't parse entities: unsupported start tag", 'bad-format'],
    [400, 'Bad Request: ENTITY_TEXTURL_INVALID', 'bad-format'],
    [400, 'Bad Request: message is too long', 'too-long'],
    [400, 'Bad Request: message to be replied not found', 'message-gone'],
    [400, 'Bad Request: message thread not found', 'thread-gone'],
    [400, 'Bad Request: TOPIC_DELETED', 'thread-gone'],
    [400, 'Bad Request: chat not found', 'chat-gone'],
    [403, 'Forbidden: bot was blocked by the user', 'forbidden'],
    [403, 'Forbidden: user is deactivated', 'forbidden'],
    [403, 'Forbidden: bot was kicked from the group chat', 'forbidden'],
    [400, 'Bad Request: not enough rights to send text messages to the chat', 'forbidden'],
    [401, 'Unauthorized', 'credentials'],
    [400, 'Bad Request: something new', 'invalid'],
  ])('%i %s is rejected as %s', (code, description, reason) => {
    expect(toSendOutcome(refusal(code, description))).toMatchObject({ status: 'rejected', reason })
  })

  // adapters 8
  test('tells how long a rate limit lasts, in milliseconds', () => {
    expect(toSendOutcome(refusal(429, 'Too Many Requests', { retry_after: 90 }))).toMatchObject({ retryAfterMs: 90_000 })
  })

  test('tells where a chat has moved', () => {
    const outcome = toSendOutcome(refusal(400, 'Bad Request: group chat was upgraded', { migrate_to_chat_id: -1005 }))
    expect(outcome).toMatchObject({ reason: 'chat-gone', movedTo: { platform: 'telegram', kind: 'group', chatId: '-1005' } })
  })

  test.each([
    refusal(502, 'Bad Gateway'),
    lost({ code: 'ECONNRESET' }),
    lost({ type: 'invalid-json' }),
    lost({ name: 'AbortError' }),
    new TypeError('x'),
  ])('leaves open what came of %s', (error) => {
    expect(toSendOutcome(error).status).toBe('unknown')
  })

  test('keeps the token out of every outcome and every trouble', () => {
    const errors = [
      lost({ code: 'ECONNRESET' }),
      lost({ type: 'invalid-json' }),
      lost({ name: 'AbortError' }),
      lost({}),
      new HttpError('x', token),
      new Error(token),
    ]
    for (const error of errors) expect(JSON.stringify([toSendOutcome(error), toTrouble(error)])).not.toContain('planted')
  })
})

describe('toTrouble', () => {
  test.each([
    [refusal(401, 'Unauthorized'), 'credentials'],
    [refusal(404, 'Not Found'), 'not-found'],
    [refusal(409, 'Conflict: terminated by other getUpdates request'), 'conflict'],
    [refusal(502, 'Bad Gateway'), 'server-error'],
    [lost({ type: 'invalid-json' }), 'server-error'],
    [lost({ code: 'ECONNREFUSED' }), 'network'],
    [refusal(400, 'Bad Request'), 'network'],
  ])('reads %s as %s', (error, kind) => {
    expect(toTrouble(error).kind).toBe(kind)
  })

  test('tells how long a rate limit lasts, and a second where Telegram does not say', () => {
    expect(toTrouble(refusal(429, 'Too Many Requests', { retry_after: 3 }))).toMatchObject({ kind: 'rate-limited', retryAfterMs: 3000 })
    expect(toTrouble(refusal(429, 'Too Many Requests'))).toMatchObject({ kind: 'rate-limited', retryAfterMs: 1000 })
  })
})
