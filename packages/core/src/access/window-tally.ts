import type { Clock } from '@hermes/plugin-sdk'

/** How a tally counts. */
export interface TallyRule {
  readonly clock: Clock
  readonly windowMs: number
  /** So many are within a window; 0: all. */
  readonly limit: number
}

interface Window {
  readonly since: number
  count: number
}

/** Keys that are remembered at once. Where more are counted, the oldest window is forgotten and begins anew. */
const keyLimit = 10_000

/** Counts by key, each within a window of its own that begins with the first count. */
export class WindowTally {
  readonly #rule: TallyRule
  /** In the order in which the windows began. */
  readonly #windows = new Map<string, Window>()

  constructor(rule: TallyRule) {
    this.#rule = rule
  }

  /** Counts one. `first-over`: it is the first of this window that is too many. */
  take(key: string): 'within' | 'first-over' | 'over' {
    const { clock, windowMs, limit } = this.#rule
    if (limit === 0) return 'within'
    const now = clock.now()
    let window = this.#windows.get(key)
    if (!window || window.since + windowMs <= now) {
      this.#windows.delete(key)
      this.#makeRoom()
      window = { since: now, count: 0 }
      this.#windows.set(key, window)
    }
    window.count++
    if (window.count <= limit) return 'within'
    return window.count === limit + 1 ? 'first-over' : 'over'
  }

  /** One that was counted does not count. */
  giveBack(key: string): void {
    const window = this.#windows.get(key)
    if (window && window.count > 0) window.count--
  }

  /** Begins anew. */
  reset(key: string): void {
    this.#windows.delete(key)
  }

  #makeRoom(): void {
    if (this.#windows.size < keyLimit) return
    const [oldest] = this.#windows.keys()
    if (oldest !== undefined) this.#windows.delete(oldest)
  }
}
