import type { AdapterFailure, Clock } from '@hermes/plugin-sdk'
import type { Trouble } from '../failures.js'
import type { Ladders } from '../ladders.js'

/** What to do about trouble: wait and poll again, or give the connection up. */
export type LadderStep = { readonly waitMs: number } | { readonly failure: AdapterFailure }

/** Counts the troubles of a connection since its last progress and says how long to wait for each. */
export class PollingLadder {
  readonly #ladders: Ladders
  readonly #clock: Clock
  #networkErrors = 0
  #conflicts = 0
  #serverErrors = 0
  #serverErrorsSince = 0

  constructor(ladders: Ladders, clock: Clock) {
    this.#ladders = ladders
    this.#clock = clock
  }

  /** Is nothing counted? */
  get isAtRest(): boolean {
    return this.#networkErrors + this.#conflicts + this.#serverErrors === 0
  }

  /** The next poll worked: all counts begin anew. */
  reset(): void {
    this.#networkErrors = this.#conflicts = this.#serverErrors = 0
  }

  next(trouble: Trouble): LadderStep {
    switch (trouble.kind) {
      case 'credentials':
        return { failure: toFailure(trouble) }
      case 'not-found':
        return { failure: toFailure(trouble) }
      case 'rate-limited':
        return { waitMs: trouble.retryAfterMs }
      case 'conflict':
        return this.#climb(this.#ladders.conflictWaitsMs[this.#conflicts++], trouble)
      case 'server-error':
        return this.#afterServerError(trouble)
      case 'network':
        return this.#climb(this.#ladders.networkWaitsMs[this.#networkErrors++], trouble)
    }
  }

  #afterServerError(trouble: Trouble): LadderStep {
    if (this.#serverErrors === 0) this.#serverErrorsSince = this.#clock.now()
    const waits = this.#ladders.serverErrorWaitsMs
    const waitMs = waits[Math.min(this.#serverErrors++, waits.length - 1)]
    const isShort = this.#clock.now() - this.#serverErrorsSince < this.#ladders.serverErrorPeriodMs
    return isShort && waitMs !== undefined ? { waitMs } : this.next({ kind: 'network', detail: trouble.detail })
  }

  #climb(waitMs: number | undefined, trouble: Trouble): LadderStep {
    return waitMs === undefined ? { failure: toFailure(trouble) } : { waitMs }
  }
}

/** The failure that a trouble becomes when nothing can be done about it, or nothing any more. */
export function toFailure(trouble: Trouble): AdapterFailure {
  switch (trouble.kind) {
    case 'credentials':
      return {
        code: 'credentials',
        isRetryable: false,
        message: `${trouble.detail}. The option token is not valid (any more): ask @BotFather for /token.`,
      }
    case 'not-found':
      return { code: 'misconfigured', isRetryable: false, message: `${trouble.detail}. Check the options token and apiRoot.` }
    case 'conflict':
      return { code: 'conflict', isRetryable: false, message: `${trouble.detail}. Another process polls with this token: stop it, then start again.` }
    case 'rate-limited':
      return { code: 'network', isRetryable: true, message: `${trouble.detail}.`, retryAfterMs: trouble.retryAfterMs }
    case 'server-error':
    case 'network':
      return { code: 'network', isRetryable: true, message: `${trouble.detail}. Check the network and the option apiRoot.` }
  }
}
