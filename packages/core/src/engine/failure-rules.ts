import type { FailureReason } from '@hermes/plugin-sdk'
import type { ErrorFacts } from './error-facts.js'

/** What a request can do without, where a model refuses it. */
export type Remedy = 'replay' | 'media' | 'media-in-results' | 'schema-patterns'

/** What is known of the request that failed. */
export interface RequestFacts {
  /** Against what the model holds. */
  readonly size: RequestSize
  /** A connection that is lost in this state may mean that the request was too long. */
  readonly isCutTelling: boolean
}

/** `large`: it may well have been too long. `halfway`: it may, where the model says nothing else. */
export type RequestSize = 'unknown' | 'small' | 'halfway' | 'large'

/** One row of the table. */
export interface FailureRule {
  readonly reason: FailureReason
  /** Sent again without it, the request may pass. */
  readonly without?: Remedy
  /** No more than a guess: the same request may pass. */
  readonly isGuess?: true
  fits(facts: ErrorFacts & RequestFacts): boolean
}

const policyBlocked = /(?:matching your|your) data policy|privacy settings|guardrail restrictions/
const contentPolicy =
  /content[_ ](?:policy|filter|management policy)|safety (?:system|filter|polic|check|reasons)|usage polic(?:y|ies)|prohibited[_ ](?:content|use)|flagged (?:as|for|by)|content exists risk|data_inspection_failed|sensitive content/
const thinkingSignature = /signature|cannot be modified|must remain as they were/
const replayRefused =
  /invalid_encrypted_content|encrypted content.{0,80}could not be (?:verified|decrypted|parsed)|items? (?:with id )?['"]?(?:rs|fc|msg)_\w+.{0,80}(?:not found|without its required)/
const listInToolContent =
  /(?:tool(?:[ _](?:message|result|response))?s?|messages?\[\d+\]|messages\.\d+)[^\n]{0,60}content[^\n]{0,80}(?:must be a string|expect(?:ed|s) (?:a )?string|should be a (?:valid )?string|not support)|content[^\n]{0,40}tool messages?[^\n]{0,40}(?:must be a string|string only)|tool messages? (?:only supports?|must contain only) (?:text|strings?)|invalid type: sequence, expected a string/
const imageTooLarge =
  /image[^\n]{0,100}(?:exceed|too (?:large|big)|larger than|maximum|max allowed)|(?:exceed|too (?:large|big)|larger than)[^\n]{0,40}\bimage/
const noImages =
  /(?:no|not|n't|only|cannot|unable)[^\n]{0,60}(?:support|accept|process|read|handle|take)\w*[^\n]{0,40}(?:image|vision|multi-?modal)|(?:image|vision|multi-?modal)\w*[^\n]{0,60}(?:not|only|n't) (?:be )?(?:support|accept|allow|enabled)|unknown variant [`'"]?image_url/
const longContextTier = /^(?=[^]*extra usage)(?=[^]*long context)/
const longContextBeta = /long context beta/
const grammar = /json[- ]schema[- ]to[- ]grammar|json schema conversion failed|(?:pars\w+|invalid) grammar|failed to initialize samplers/
const entitlement =
  /(?:no|not have an?|without an?|requires? an?|needs? an?|lapsed|expired) (?:active )?[\w ]{0,20}(?:subscription|entitlement)|not (?:included in|entitled)/
const unsupportedParameter =
  /(?:unsupported|unknown|unrecognized|unexpected|unpermitted|invalid) (?:request )?(?:parameter|argument|keyword)|unsupported_(?:parameter|value)|unknown_parameter|extra (?:inputs|fields) (?:are )?not permitted/
const overflow =
  /context[ _-]?(?:length|window|limit|size)|maximum context|(?:prompt|input|request|conversation) (?:is )?too (?:long|large)|too many (?:input |prompt )?tokens|(?:input|prompt)(?: token count)? (?:[\w() ]{0,20})exceed|exceed[^\n]{0,40}\btokens?\b|reduce the length/
const overloaded =
  /overloaded|at (?:full )?capacity|over capacity|temporarily unavailable|no available capacity|capacity (?:is )?(?:exceeded|exhausted)/
const billing =
  /insufficient[_ ](?:quota|balance|credits?|funds)|credit balance|(?:out of|not enough|more|add|purchase|insufficient) (?:\w+ )?credits|credits? (?:have been )?exhausted|billing[_ ](?:hard[_ ]limit|not[_ ]active|issue|details)|payment[_ ]required|payment (?:method )?(?:is )?required|exceeded your current quota|plan and billing/
const spentQuota = /insufficient_quota|billing_(?:hard_limit|not_active)|insufficient[_ ](?:balance|credits?|funds)|credits? (?:have been )?exhausted/
const usageLimit = /^(?=[^]*(?:usage limit|quota|limit reached))(?=[^]*(?:retry|try again|resets? (?:at|in|on)|wait|window))/
const modelText = /model/
const notFound =
  /not[_ ]found|(?:does|did) not exist|no such|unknown|not (?:a )?valid|invalid|not (?:supported|available|accessible)|no access|unavailable/
const modelNotFound =
  /model_not_found|invalid model|no such model|unknown model|model[^\n]{0,80}(?:not found|does not exist|not exist|is not (?:a valid|supported|available))|not a valid model/
const rateLimit = /rate[ _-]?limit|too many requests|quota|resource[ _-]exhausted|tokens per minute|requests per/
const auth =
  /(?:invalid|incorrect|missing|expired|no) (?:\w+ )?(?:api[ _-]?key|token|credentials?)|api[ _-]?key (?:is )?(?:not valid|invalid|missing|expired|not found)|api_key_invalid|unauthori[sz]ed|unauthenticated|authentication|permission[_ ](?:denied|error)|invalid[_ ]credentials/
const serverError = /server[ _]?error|internal error|internal server|had an error|bad gateway|api_error/
const timeout = /time[ds]?[ -]?out|fetch failed|cannot connect|connection refused|connection error|network error/
const disconnect =
  /terminated|socket hang ?up|other side closed|connection (?:was )?(?:closed|reset|lost|aborted)|premature close|server disconnected|peer closed|connection ended/
const disconnectCode = /^(?:ECONNRESET|ECONNABORTED|EPIPE|UND_ERR_SOCKET)$/
const networkCode =
  /^(?:ECONN\w+|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENETDOWN|UND_ERR_\w+|ERR_SSL_\w+|ERR_TLS_\w+|EPROTO|CERT_\w+|\w+_CERT\w*|TimeoutError)$/
const unreadableAnswer = /^AI_(?:JSONParseError|TypeValidationError|InvalidResponseDataError)$/
const emptyAnswer = /^AI_(?:EmptyResponseBodyError|NoContentGeneratedError)$/
const noCredentials = /^AI_(?:LoadAPIKeyError|LoadSettingError)$/
/** Proxies send a shorter one, or just "error", for what was too long. */
const bareMessageChars = 30

const canOverflow = new Set([undefined, 400, 413, 422, 500, 502, 503])

/** What providers say in words of their own, whatever the status. "Unsupported parameter: max_tokens" comes before an overflow. */
const ownWords: readonly FailureRule[] = [
  { reason: 'format-error', without: 'media-in-results', fits: (facts) => isRefusal(facts) && listInToolContent.test(facts.text) },
  { reason: 'policy-blocked', fits: ({ isFromModel, text }) => isFromModel && policyBlocked.test(text) },
  {
    reason: 'replay-refused',
    without: 'replay',
    fits: (facts) => isRefusal(facts) && ((facts.text.includes('thinking') && thinkingSignature.test(facts.text)) || replayRefused.test(facts.text)),
  },
  { reason: 'context-overflow', fits: ({ status, text }) => status === 429 && longContextTier.test(text) },
  { reason: 'auth', fits: ({ status, text }) => isClientError(status) && (longContextBeta.test(text) || entitlement.test(text)) },
  { reason: 'format-error', without: 'schema-patterns', fits: ({ isFromModel, text }) => isFromModel && grammar.test(text) },
  { reason: 'format-error', fits: ({ isFromModel, text }) => isFromModel && unsupportedParameter.test(text) },
  { reason: 'image-too-large', without: 'media', fits: (facts) => isRefusal(facts) && imageTooLarge.test(facts.text) },
  { reason: 'format-error', without: 'media', fits: (facts) => (isRefusal(facts) || facts.status === 404) && noImages.test(facts.text) },
  { reason: 'content-policy', fits: ({ isFromModel, status, text }) => isFromModel && !isServerError(status) && contentPolicy.test(text) },
]

const byStatus: readonly FailureRule[] = [
  { reason: 'payload-too-large', fits: ({ status }) => status === 413 },
  { reason: 'context-overflow', fits: ({ isFromModel, status, text }) => isFromModel && canOverflow.has(status) && isOverflow(text, status) },
  { reason: 'auth', fits: ({ status }) => status === 401 },
  { reason: 'rate-limit', fits: ({ status, text }) => status === 402 && usageLimit.test(text) },
  { reason: 'billing', fits: ({ status }) => status === 402 },
  { reason: 'billing', fits: ({ status, text }) => (status === 403 || status === 404 || status === 400) && billing.test(text) },
  { reason: 'auth', fits: ({ status }) => status === 403 },
  { reason: 'model-not-found', fits: ({ status, text }) => status === 404 && modelText.test(text) && notFound.test(text) },
  { reason: 'unknown', fits: ({ status }) => status === 404 },
  { reason: 'overloaded', fits: ({ status, text }) => status === 503 || status === 529 || (status === 429 && overloaded.test(text)) },
  { reason: 'billing', fits: ({ status, text }) => status === 429 && spentQuota.test(text) },
  { reason: 'rate-limit', fits: ({ status }) => status === 429 },
  { reason: 'timeout', fits: ({ status }) => status === 408 },
  { reason: 'format-error', fits: ({ status, text }) => (status === 500 || status === 502) && text.includes('invalid_request_error') },
  { reason: 'server-error', fits: ({ status }) => isServerError(status) },
  { reason: 'model-not-found', fits: ({ status, text }) => status === 400 && modelNotFound.test(text) },
  { reason: 'auth', fits: ({ status, text }) => status === 400 && auth.test(text) },
  { reason: 'context-overflow', fits: (facts) => facts.status === 400 && isBare(facts.message) && isSizeable(facts.size) },
  { reason: 'format-error', fits: ({ status }) => isClientError(status) },
]

/** Where no status tells: classes, network codes, then words. */
const withoutStatus: readonly FailureRule[] = [
  { reason: 'empty-response', fits: ({ name }) => emptyAnswer.test(name) },
  { reason: 'server-error', fits: ({ name }) => unreadableAnswer.test(name) },
  { reason: 'auth', fits: ({ name }) => noCredentials.test(name) },
  { reason: 'context-overflow', isGuess: true, fits: (facts) => facts.size === 'large' && facts.isCutTelling && isDisconnect(facts) },
  { reason: 'timeout', fits: (facts) => facts.codes.some((code) => networkCode.test(code)) || isDisconnect(facts) },
  { reason: 'billing', fits: ({ isFromModel, text }) => isFromModel && billing.test(text) && !usageLimit.test(text) },
  { reason: 'overloaded', fits: ({ isFromModel, text }) => isFromModel && overloaded.test(text) },
  { reason: 'rate-limit', fits: ({ isFromModel, text }) => isFromModel && (rateLimit.test(text) || usageLimit.test(text)) },
  { reason: 'model-not-found', fits: ({ isFromModel, text }) => isFromModel && modelNotFound.test(text) },
  { reason: 'auth', fits: ({ isFromModel, text }) => isFromModel && auth.test(text) },
  { reason: 'server-error', fits: ({ isFromModel, text }) => isFromModel && serverError.test(text) },
  { reason: 'format-error', fits: ({ isFromModel, text }) => isFromModel && text.includes('invalid_request_error') },
  { reason: 'timeout', fits: ({ isFromModel, isNetworkShaped, text }) => (isFromModel || isNetworkShaped) && timeout.test(text) },
  { reason: 'unknown', fits: ({ isFromModel }) => isFromModel },
]

/** In order; the first that fits wins. */
export const failureRules: readonly FailureRule[] = [...ownWords, ...byStatus, ...withoutStatus]

/** The model read the request and does not take it. */
function isRefusal({ isFromModel, status }: ErrorFacts): boolean {
  return isFromModel && (status === undefined || status === 400 || status === 422)
}

/** Where no status tells a rate of tokens from a number of them, words of rates do. */
function isOverflow(text: string, status: number | undefined): boolean {
  return overflow.test(text) && (status !== undefined || !rateLimit.test(text))
}

function isClientError(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500
}

function isServerError(status: number | undefined): boolean {
  return status !== undefined && status >= 500
}

function isBare(message: string): boolean {
  return message.trim().length < bareMessageChars
}

function isSizeable(size: RequestSize): boolean {
  return size === 'large' || size === 'halfway'
}

function isDisconnect({ codes, isFromModel, isNetworkShaped, text, status }: ErrorFacts): boolean {
  if (status !== undefined) return false
  return codes.some((code) => disconnectCode.test(code)) || ((isFromModel || isNetworkShaped) && disconnect.test(text))
}
