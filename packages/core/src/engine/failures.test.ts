import { APICallError, EmptyResponseBodyError, JSONParseError, LoadAPIKeyError } from '@ai-sdk/provider'
import { HermesError, type FailureReason } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { StreamPartError } from './error-facts.js'
import type { Remedy, RequestSize } from './failure-rules.js'
import { classifyFailure, failureError, judgeFailure } from './failures.js'

const api = (statusCode: number | undefined, message = 'no', responseBody = ''): APICallError =>
  new APICallError({ message, url: 'https://api.example', requestBodyValues: {}, responseBody, ...(statusCode !== undefined && { statusCode }) })
const body = (statusCode: number, error: object): APICallError => api(statusCode, 'Bad Request', JSON.stringify({ error }))
const network = (code: string): Error => new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code }) })

type Case = readonly [reason: FailureReason, what: string, error: unknown]

// engine 2.7, row by row; the words are those of real providers
const byStatus: readonly Case[] = [
  ['auth', '401', api(401)],
  ['auth', '403', api(403)],
  [
    'auth',
    'a 400 that names the key',
    body(400, { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' }),
  ],
  ['auth', 'a missing subscription', api(403, 'You do not have an active Grok subscription.')],
  ['auth', 'a beta that a subscription lacks', api(400, 'The long context beta is not yet available for this subscription.')],
  ['billing', '402', api(402, 'Payment Required')],
  ['billing', '403 with credit text', api(403, 'Your team has used all available credits or reached its limit: add more credits')],
  ['billing', '404 with credit text', api(404, 'Model unavailable: insufficient credits')],
  ['billing', '400 with a credit balance', api(400, 'Your credit balance is too low to access the API. Please go to Plans & Billing.')],
  ['billing', '429 with a quota code', body(429, { code: 'insufficient_quota', message: 'You exceeded your current quota.' })],
  ['rate-limit', '429', api(429)],
  [
    'rate-limit',
    '429 with a quota that comes back',
    body(429, { status: 'RESOURCE_EXHAUSTED', message: 'You exceeded your current quota. Retry in 30 s.' }),
  ],
  ['rate-limit', '402 with a usage limit that passes', api(402, 'Usage limit reached. Resets at 14:00, please try again then.')],
  ['billing', '402 with a usage limit that does not pass', api(402, 'Usage limit reached.')],
  ['overloaded', '503', api(503)],
  ['overloaded', '529', api(529)],
  ['overloaded', '429 that says overloaded', api(429, 'The model is overloaded')],
  ['overloaded', '429 that says at capacity', api(429, 'This model is currently at capacity.')],
  ['server-error', '500', api(500)],
  ['server-error', '502', api(502)],
  ['server-error', '504', api(504)],
  ['timeout', '408', api(408)],
  ['payload-too-large', '413', api(413, 'Request exceeds the maximum size')],
  ['context-overflow', 'overflow text on a 400', api(400, 'Bad Request', 'prompt is too long: 210000 tokens > 200000 maximum')],
  ['context-overflow', 'overflow text on a 500', api(500, 'the request exceeds the available context size, try increasing it')],
  ['context-overflow', 'overflow text on a 502', api(502, "This model's maximum context length is 8192 tokens")],
  ['context-overflow', 'overflow text on a 503', api(503, 'input is too long for the context window')],
  ['context-overflow', 'an overflow code', body(400, { code: 'context_length_exceeded', type: 'invalid_request_error', message: 'x' })],
  ['context-overflow', '429 of a long-context tier', api(429, 'Extra usage is required for long context requests.')],
  ['model-not-found', '404 with model text', body(404, { type: 'not_found_error', message: 'model: claude-nope' })],
  ['model-not-found', '400 with model text', body(400, { message: 'The model `gpt-nope` does not exist or you do not have access to it.' })],
  ['model-not-found', '400 of an aggregator', api(400, 'acme/nope is not a valid model ID')],
  ['unknown', '404 without model text', api(404, 'Not Found', '<html>404 page not found</html>')],
  ['policy-blocked', 'privacy settings of an account', api(404, 'No endpoints found matching your data policy (Free model publication).')],
  [
    'content-policy',
    'a refused prompt',
    body(400, { code: 'content_filter', message: "The response was filtered due to Azure OpenAI's content management policy." }),
  ],
  ['content-policy', 'a refused prompt of a 403', api(403, 'Content violates usage policies. Failed check: SAFETY_CHECK_TYPE_CSAM')],
  ['format-error', '422', api(422)],
  ['format-error', 'another 4xx', api(405)],
  ['format-error', '400 with words of no rule', api(400, 'messages: text content blocks must contain non-whitespace text')],
  ['format-error', 'an unsupported parameter as a 500', api(500, "Unsupported parameter: 'temperature'")],
  ['format-error', 'lists as tool content', api(400, 'messages[3].content: invalid type: sequence, expected a string')],
]

// engine 2.7: what must survive
const subtleties: readonly Case[] = [
  // engine 10
  [
    'format-error',
    '"Unsupported parameter: max_tokens" on a 400',
    body(400, { message: "Unsupported parameter: 'max_tokens' exceeds maximum context length" }),
  ],
  [
    'context-overflow',
    'invalid_request_error with overflow text on a 400',
    body(400, { type: 'invalid_request_error', message: 'Input tokens exceed the limit' }),
  ],
  ['format-error', 'invalid_request_error on a 500', body(500, { type: 'invalid_request_error', message: 'no' })],
  ['format-error', 'invalid_request_error on a 502', body(502, { type: 'invalid_request_error', message: 'no' })],
  [
    'context-overflow',
    'an overflow inside the JSON of an aggregator',
    body(400, {
      code: 400,
      message: 'Provider returned error',
      metadata: { raw: JSON.stringify({ error: { message: 'prompt is too long: 9 tokens' } }) },
    }),
  ],
  [
    'format-error',
    'a 400 whose body quotes a prompt about context length',
    api(400, 'Bad Request: temperature is out of range', '{"input":"maximum context length"}'),
  ],
]

const withoutStatus: readonly Case[] = [
  ['rate-limit', 'an error of another SDK', Object.assign(new Error('slow down'), { status: 429, headers: new Headers({ 'Retry-After': '2' }) })],
  ['context-overflow', 'an overflow code of an error part', new StreamPartError({ error: { code: 'context_length_exceeded', message: 'x' } })],
  ['overloaded', 'an error part that says so by type', new StreamPartError({ type: 'overloaded_error', message: 'Overloaded' })],
  ['server-error', 'an error part with the status as its code', new StreamPartError({ error: { code: 502, message: 'Provider disconnected' } })],
  ['server-error', 'an error part that is a text', new StreamPartError('The server had an error while processing your request')],
  ['billing', 'an error part with a quota code', new StreamPartError({ code: 'insufficient_quota', message: 'x' })],
  [
    'rate-limit',
    'an error part about requests',
    new StreamPartError({ type: 'rate_limit_error', message: 'Number of requests has exceeded your limit' }),
  ],
  ['rate-limit', 'an error part about tokens of a minute', new StreamPartError('Request exceeds the limit of 30000 tokens per minute')],
  ['unknown', 'an error part that says nothing known', new StreamPartError('bad luck')],
  ['timeout', 'ECONNRESET', network('ECONNRESET')],
  ['timeout', 'a socket that undici lost', network('UND_ERR_SOCKET')],
  ['timeout', 'a TLS hiccup', network('ERR_SSL_WRONG_VERSION_NUMBER')],
  ['timeout', 'a time-out by signal', new DOMException('too slow', 'TimeoutError')],
  ['timeout', 'no connection, as AI SDK says it', api(undefined, 'Cannot connect to API: connection refused')],
  ['server-error', 'an answer that is no JSON', new JSONParseError({ text: '<html>', cause: new Error('x') })],
  ['empty-response', 'an empty body', new EmptyResponseBodyError()],
  ['auth', 'a key that is not set', new LoadAPIKeyError({ message: 'API key is missing.' })],
  ['runtime', 'a bug', new TypeError('x is not a function')],
  ['runtime', 'a bug with words of a provider', new TypeError('the context window is too large for tool content: must be a string')],
  ['runtime', 'an error of ours', new HermesError('stopped', 'no', { what: 'x' })],
  ['runtime', 'something that is no error', undefined],
  [
    'runtime',
    'something that cannot be read',
    Object.defineProperty({}, 'message', {
      get: () => {
        throw new Error('hidden')
      },
    }),
  ],
  ['timeout', 'a failure that is classified', failureError({ reason: 'timeout', message: 'x' })],
]

describe('classifyFailure', () => {
  it.each([...byStatus, ...subtleties, ...withoutStatus])('says %s for %s', (reason, _what, error) => {
    expect(classifyFailure(error, 0).reason).toBe(reason)
  })

  it('reads Retry-After wherever a library keeps its headers', () => {
    const error = Object.assign(new Error('slow down'), { status: 429, headers: new Headers({ 'Retry-After': '2' }) })
    expect(classifyFailure(error, 0)).toEqual({ reason: 'rate-limit', message: 'slow down', status: 429, retryAfterMs: 2_000 })
  })

  it('keeps a message short', () => {
    expect(classifyFailure(new Error('x'.repeat(10_000)), 0).message).toHaveLength(500)
  })

  it('tells what the provider behind an aggregator said, without keys', () => {
    const raw = JSON.stringify({ error: { message: 'Incorrect API key provided: sk-planted-0123456789' } })
    const failure = classifyFailure(body(401, { message: 'Provider returned error', metadata: { raw } }), 0)
    expect(failure.message).toBe('Incorrect API key provided: sk-[hidden]')
  })

  it('takes no time over a long body', () => {
    const startedAt = performance.now()
    classifyFailure(api(400, 'no', 'image not '.repeat(100_000)), 0)
    expect(performance.now() - startedAt).toBeLessThan(500)
  })
})

describe('judgeFailure', () => {
  it.each<readonly [Remedy, FailureReason, unknown]>([
    ['replay', 'replay-refused', body(400, { code: 'invalid_encrypted_content', message: 'The encrypted content gAAA... could not be verified.' })],
    ['replay', 'replay-refused', api(400, 'messages.1.content.0: Invalid `signature` in `thinking` block')],
    ['replay', 'replay-refused', api(400, '`thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified.')],
    ['replay', 'replay-refused', api(400, "Item with id 'rs_0123' not found. Items are not persisted when `store` is set to false.")],
    ['media', 'image-too-large', api(400, 'messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes')],
    ['media', 'format-error', api(400, 'Failed to deserialize the JSON body: unknown variant `image_url`, expected `text`')],
    ['media', 'format-error', api(404, 'No endpoints found that support image input')],
    ['media-in-results', 'format-error', api(400, 'messages[3].content: invalid type: sequence, expected a string')],
    ['media-in-results', 'format-error', api(422, 'messages.2.content: tool message content must be a string')],
    ['schema-patterns', 'format-error', api(400, "JSON schema conversion failed: Pattern must start with '^' and end with '$'")],
  ])('says what may be left out: %s for %s', (remedy, reason, error) => {
    expect(judgeFailure(error, { now: 0, size: 'small', isCutTelling: true })).toMatchObject({ without: remedy, failure: { reason } })
  })

  // engine 10
  it.each<readonly [FailureReason, RequestSize]>([
    ['format-error', 'unknown'],
    ['format-error', 'small'],
    ['context-overflow', 'halfway'],
    ['context-overflow', 'large'],
  ])('takes a refusal without words as %s of a request that is %s', (reason, size) => {
    for (const error of [api(400, 'error'), api(400, 'Bad Request')]) {
      expect(judgeFailure(error, { now: 0, size, isCutTelling: false }).failure.reason).toBe(reason)
    }
  })

  it.each<readonly [FailureReason, RequestSize, boolean]>([
    ['timeout', 'halfway', true],
    ['timeout', 'large', false],
    ['context-overflow', 'large', true],
  ])('takes a lost connection as %s of a request that is %s, where a cut tells: %s', (reason, size, isCutTelling) => {
    const cuts = [network('ECONNRESET'), network('UND_ERR_SOCKET'), new TypeError('terminated', { cause: new Error('other side closed') })]
    for (const error of cuts) expect(judgeFailure(error, { now: 0, size, isCutTelling }).failure.reason).toBe(reason)
    expect(judgeFailure(network('ETIMEDOUT'), { now: 0, size, isCutTelling }).failure.reason).toBe('timeout')
  })
})
