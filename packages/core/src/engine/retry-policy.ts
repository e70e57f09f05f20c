import type { Clock, FailureReason } from '@hermes/plugin-sdk'
import type { JudgedFailure } from './failures.js'

/** How often a model call is made, and the waits between, milliseconds. */
export interface RetryPolicy {
  readonly attempts: number
  readonly baseMs: number
  readonly maxMs: number
}

const jitterRatio = 0.5
const passing: ReadonlySet<FailureReason> = new Set(['rate-limit', 'overloaded', 'server-error', 'timeout', 'empty-response', 'unknown'])

/**
 * The wait before the next attempt: what the server asked for, else the base doubled by every attempt, with jitter. `undefined`:
 * no further attempt, because it cannot help, all are used up, or the server asks for more than the longest wait.
 */
export function retryDelayMs(
  { failure, isGuess = false }: JudgedFailure,
  attempt: number,
  options: { readonly retry: RetryPolicy; readonly clock: Clock },
): number | undefined {
  const { attempts, baseMs, maxMs } = options.retry
  if (!(passing.has(failure.reason) || isGuess) || attempt >= attempts) return undefined
  if (failure.retryAfterMs !== undefined) return failure.retryAfterMs > maxMs ? undefined : failure.retryAfterMs
  const delayMs = Math.min(baseMs * 2 ** (attempt - 1), maxMs)
  return delayMs + options.clock.random() * jitterRatio * delayMs
}
