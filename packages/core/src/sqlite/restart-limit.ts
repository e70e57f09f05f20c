import type { Clock } from '@hermes/plugin-sdk'

const windowMs = 60_000
const restartsPerWindow = 5

/** How often a worker that keeps dying is started again: five times a minute. */
export class RestartLimit {
  readonly #clock: Clock
  #recent: number[] = []
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Restarts over all time. */
  get count(): number {
    return this.#count
  }

  /** May it be started once more, now? A yes is counted. */
  take(): boolean {
    const now = this.#clock.now()
    this.#recent = this.#recent.filter((at) => now - at < windowMs)
    if (this.#recent.length >= restartsPerWindow) return false
    this.#recent.push(now)
    this.#count++
    return true
  }
}
