/** How the taps that an owner has on one hook are doing. */
export interface HookHealth {
  readonly hook: string
  /**
   * `degraded`: the last call failed. `suppressed`: left out for a while after a time-out. `disposed`: all of them are gone.
   */
  readonly state: 'ok' | 'degraded' | 'suppressed' | 'disposed'
  /** Calls that were begun. */
  readonly calls: number
  readonly failures: number
  readonly consecutiveFailures: number
  /** Failures because the time was over. */
  readonly timeouts: number
  /** Calls that have not ended, those that nobody waits for included. */
  readonly pending: number
  /** Payloads that a full queue dropped, the oldest first. */
  readonly dropped: number
  /** Without secrets, at most 200 characters. `at`: milliseconds since the epoch. */
  readonly lastError?: { readonly name: string; readonly message: string; readonly at: number } | undefined
  /** Of the last call that went async. */
  readonly lastDurationMs?: number | undefined
  /** Milliseconds since the epoch. */
  readonly suppressedUntil?: number | undefined
}

const states = ['disposed', 'ok', 'degraded', 'suppressed'] as const

/** The worse of two states. */
export function worstState(left: HookHealth['state'], right: HookHealth['state']): HookHealth['state'] {
  return states.indexOf(left) >= states.indexOf(right) ? left : right
}

/** Two taps of one owner on one hook, as one. */
export function mergeHealth(left: HookHealth, right: HookHealth): HookHealth {
  return {
    hook: left.hook,
    state: worstState(left.state, right.state),
    calls: left.calls + right.calls,
    failures: left.failures + right.failures,
    consecutiveFailures: Math.max(left.consecutiveFailures, right.consecutiveFailures),
    timeouts: left.timeouts + right.timeouts,
    pending: left.pending + right.pending,
    dropped: left.dropped + right.dropped,
    lastError: (left.lastError?.at ?? 0) > (right.lastError?.at ?? 0) ? left.lastError : (right.lastError ?? left.lastError),
    lastDurationMs: right.lastDurationMs ?? left.lastDurationMs,
    suppressedUntil: latest(left.suppressedUntil, right.suppressedUntil),
  }
}

function latest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.max(left, right)
}
