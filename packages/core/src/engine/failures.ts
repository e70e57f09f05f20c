import { HermesError, type AgentFailure } from '@hermes/plugin-sdk'
import { describeError } from './error-facts.js'
import { failureRules, type Remedy, type RequestFacts } from './failure-rules.js'
import { retryAfterMs } from './retry-after.js'

declare module '@hermes/plugin-sdk' {
  interface HermesErrorDetails {
    'model.failed': AgentFailure
  }
}

/** A failure, and what the request may be sent without. */
export interface JudgedFailure {
  readonly failure: AgentFailure
  readonly without?: Remedy | undefined
  /** The reason is no more than a guess: the same request may pass. */
  readonly isGuess?: boolean | undefined
}

/**
 * What went wrong, from whatever was thrown. Errors of AI SDK are known by their marker, others by status, network code and words;
 * what nothing fits is `runtime`. The failure holds the provider's message without keys, never headers or bodies, and no cause.
 */
export function classifyFailure(error: unknown, now: number): AgentFailure {
  return judgeFailure(error, { now, size: 'unknown', isCutTelling: false }).failure
}

/** The same for one who knows how large the request was: a long one that is cut off or refused without words was too long. */
export function judgeFailure(error: unknown, request: RequestFacts & { readonly now: number }): JudgedFailure {
  try {
    return judge(error, request)
  } catch {
    return { failure: { reason: 'runtime', message: 'An error was thrown that cannot be read.' } }
  }
}

function judge(error: unknown, { now, ...request }: RequestFacts & { readonly now: number }): JudgedFailure {
  if (HermesError.is(error, 'model.failed')) return { failure: error.detail }
  if (HermesError.is(error)) return { failure: { reason: 'runtime', message: error.message } }
  const facts = describeError(error)
  const rule = failureRules.find((row) => row.fits({ ...facts, ...request }))
  const { message, status, headers } = facts
  const failure = { reason: rule?.reason ?? 'runtime', message, status, retryAfterMs: retryAfterMs(headers, now) }
  return { failure, without: rule?.without, isGuess: rule?.isGuess }
}

/** A failure as an error, for a runtime that knows what went wrong. */
export function failureError(failure: AgentFailure): HermesError<'model.failed'> {
  return new HermesError('model.failed', failure.message, failure)
}
