import { APICallError, EmptyResponseBodyError, JSONParseError } from '@ai-sdk/provider'
import { HermesError, type FailureReason } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { StreamPartError } from './error-facts.js'
import { classifyFailure, failureError } from './failures.js'

const api = (statusCode: number | undefined, message = 'no', responseBody = ''): APICallError =>
  new APICallError({ message, url: 'https://api.example', requestBodyValues: {}, responseBody, ...(statusCode !== undefined && { statusCode }) })
const network = (code: string): Error => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })

const cases: readonly [FailureReason, string, unknown][] = [
  ['auth', '401', api(401)],
  ['auth', '403', api(403)],
  ['rate-limit', '429', api(429)],
  ['overloaded', '429 that says overloaded', api(429, 'The model is overloaded')],
  ['overloaded', '503', api(503)],
  ['overloaded', '529', api(529)],
  ['server-error', '500', api(500)],
  ['format-error', '500 with invalid_request_error', api(500, 'no', '{"type":"invalid_request_error"}')],
  ['timeout', '408', api(408)],
  ['context-overflow', '413', api(413)],
  ['context-overflow', 'overflow text in the body of a 400', api(400, 'Bad Request', 'prompt is too long: 210000 tokens > 200000 maximum')],
  ['context-overflow', 'overflow code of an error part', new StreamPartError({ error: { code: 'context_length_exceeded', message: 'x' } })],
  [
    'format-error',
    '"Unsupported parameter" with words of an overflow',
    api(400, "Unsupported parameter: 'max_tokens' exceeds maximum context length"),
  ],
  ['format-error', '422', api(422)],
  ['rate-limit', 'an error of another SDK', Object.assign(new Error('slow down'), { status: 429, headers: new Headers({ 'Retry-After': '2' }) })],
  ['overloaded', 'an error part that says so by type', new StreamPartError({ type: 'overloaded_error', message: 'Overloaded' })],
  ['server-error', 'an error part that is a text', new StreamPartError('The server had an error while processing your request')],
  ['unknown', 'an error part that says nothing known', new StreamPartError('bad luck')],
  ['timeout', 'ECONNRESET', network('ECONNRESET')],
  ['timeout', 'a socket that undici lost', network('UND_ERR_SOCKET')],
  ['timeout', 'a time-out by signal', new DOMException('too slow', 'TimeoutError')],
  ['timeout', 'no connection, as AI SDK says it', api(undefined, 'Cannot connect to API: connection refused')],
  ['server-error', 'an answer that is no JSON', new JSONParseError({ text: '<html>', cause: new Error('x') })],
  ['empty-response', 'an empty body', new EmptyResponseBodyError()],
  ['runtime', 'a bug', new TypeError('x is not a function')],
  ['runtime', 'an error of ours', new HermesError('stopped', 'no', { what: 'x' })],
  ['runtime', 'something that is no error', undefined],
  ['timeout', 'a failure that is classified', failureError({ reason: 'timeout', message: 'x' })],
]

describe('classifyFailure', () => {
  it.each(cases)('says %s for %s', (reason, _what, error) => {
    expect(classifyFailure(error, 0).reason).toBe(reason)
  })

  it('reads Retry-After wherever a library keeps its headers', () => {
    const error = Object.assign(new Error('slow down'), { status: 429, headers: new Headers({ 'Retry-After': '2' }) })
    expect(classifyFailure(error, 0)).toEqual({ reason: 'rate-limit', message: 'slow down', status: 429, retryAfterMs: 2_000 })
  })

  it('keeps a message short', () => {
    expect(classifyFailure(new Error('x'.repeat(10_000)), 0).message).toHaveLength(500)
  })
})
