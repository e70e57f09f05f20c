import { HermesError, type AgentFailure, type FailureReason } from '@hermes/plugin-sdk'
import { describeError, type ErrorFacts } from './error-facts.js'
import { retryAfterMs } from './retry-after.js'

declare module '@hermes/plugin-sdk' {
  interface HermesErrorDetails {
    'model.failed': AgentFailure
  }
}

type Rule = readonly [reason: FailureReason, fits: (facts: ErrorFacts) => boolean]

const unsupportedParameter = /(?:unsupported|unknown|unrecognized|invalid) (?:request )?(?:parameter|argument)/i
const overflow =
  /context[ _-]?(?:length|window|limit|size)|maximum context|prompt is too long|too many (?:input )?tokens|(?:input|prompt|request) (?:is |are )?(?:too long|exceeds)|exceed.{0,40}\btokens?\b/i
const overloaded = /overloaded|at capacity|over capacity|temporarily unavailable|no available capacity/i
const rateLimit = /rate[ _-]?limit|too many requests|quota|resource[ _-]exhausted/i
const auth = /api[ _-]?key|unauthori[sz]ed|authentication|permission[ _]denied|invalid[ _]credentials|insufficient[ _](?:credit|balance|funds)/i
const serverError = /server[ _]?error|internal error|internal server|had an error|bad gateway/i
const timeout =
  /time[ds]?[ -]?out|fetch failed|cannot connect|connection refused|terminated|socket hang ?up|other side closed|connection (?:error|closed|reset|lost)|network error|premature close/i
const networkCode =
  /^(?:ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|UND_ERR_\w+|ERR_SSL_\w+|ERR_TLS_\w+|CERT_\w+|TimeoutError)$/
const unreadableAnswer = /^AI_(?:JSONParseError|TypeValidationError|InvalidResponseDataError)$/
const emptyAnswer = /^AI_(?:EmptyResponseBodyError|NoContentGeneratedError)$/

const canOverflow = new Set([undefined, 400, 413, 422, 500, 502, 503])

/** In order; the first that fits wins. "Unsupported parameter: max_tokens" must come before the words of an overflow. */
const rules: readonly Rule[] = [
  ['format-error', ({ isFromModel, text }) => isFromModel && unsupportedParameter.test(text)],
  ['context-overflow', ({ isFromModel, status, text }) => isFromModel && canOverflow.has(status) && overflow.test(text)],
  ['context-overflow', ({ status }) => status === 413],
  ['auth', ({ status }) => status === 401 || status === 402 || status === 403],
  ['overloaded', ({ status, text }) => status === 503 || status === 529 || (status === 429 && overloaded.test(text))],
  ['rate-limit', ({ status }) => status === 429],
  ['timeout', ({ status }) => status === 408],
  ['format-error', ({ status, text }) => (status === 500 || status === 502) && text.includes('invalid_request_error')],
  ['server-error', ({ status }) => status !== undefined && status >= 500],
  ['format-error', ({ status }) => status !== undefined && status >= 400],
  ['timeout', ({ codes }) => codes.some((code) => networkCode.test(code))],
  ['empty-response', ({ name }) => emptyAnswer.test(name)],
  ['server-error', ({ name }) => unreadableAnswer.test(name)],
  ['overloaded', ({ isFromModel, text }) => isFromModel && overloaded.test(text)],
  ['rate-limit', ({ isFromModel, text }) => isFromModel && rateLimit.test(text)],
  ['auth', ({ isFromModel, text }) => isFromModel && auth.test(text)],
  ['server-error', ({ isFromModel, text }) => isFromModel && serverError.test(text)],
  ['timeout', ({ isFromModel, isNetworkShaped, text }) => (isFromModel || isNetworkShaped) && timeout.test(text)],
  ['unknown', ({ isFromModel }) => isFromModel],
]

/**
 * What went wrong, from whatever was thrown. Errors of AI SDK are known by their marker, others by status, network code and words;
 * what nothing fits is `runtime`. The failure holds the provider's message without keys, never headers or bodies, and no cause.
 */
export function classifyFailure(error: unknown, now: number): AgentFailure {
  if (HermesError.is(error, 'model.failed')) return error.detail
  if (HermesError.is(error)) return { reason: 'runtime', message: error.message }
  const facts = describeError(error)
  const reason = rules.find(([, fits]) => fits(facts))?.[0] ?? 'runtime'
  return { reason, message: facts.message, status: facts.status, retryAfterMs: retryAfterMs(facts.headers, now) }
}

/** A failure as an error, for a runtime that knows what went wrong. */
export function failureError(failure: AgentFailure): HermesError<'model.failed'> {
  return new HermesError('model.failed', failure.message, failure)
}
