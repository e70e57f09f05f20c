import type { Clock } from '@hermes/plugin-sdk'

interface Sleeper {
  readonly ms: number
  readonly until: number
  wake(): void
}

/**
 * Time that passes only when a test says so. Sockets and processes go on meanwhile: wait with `slept` until the code under test
 * has begun its wait, then `advance`.
 */
export class FakeClock implements Clock {
  #now: number
  #random: () => number
  readonly #sleepers = new Set<Sleeper>()
  readonly #begun: number[] = []
  readonly #observers: ((ms: number) => void)[] = []

  /** `random` gives every draw of chance; default 0. */
  constructor(options: { now?: number; random?: () => number } = {}) {
    this.#now = options.now ?? Date.UTC(2026, 0, 1)
    this.#random = options.random ?? (() => 0)
  }

  now(): number {
    return this.#now
  }

  random(): number {
    return this.#random()
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason)
    return new Promise((resolve, reject) => {
      const abort = (): void => {
        this.#sleepers.delete(sleeper)
        reject(signal?.reason)
      }
      const sleeper: Sleeper = {
        ms,
        until: this.#now + Math.max(0, ms),
        wake: () => {
          signal?.removeEventListener('abort', abort)
          resolve()
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#sleepers.add(sleeper)
      const observer = this.#observers.shift()
      if (observer) observer(ms)
      else this.#begun.push(ms)
    })
  }

  /** The length of the next sleep that begins, or of the oldest that nobody asked for yet. */
  slept(): Promise<number> {
    const begun = this.#begun.shift()
    if (begun !== undefined) return Promise.resolve(begun)
    return new Promise((resolve) => this.#observers.push(resolve))
  }

  /** How long the sleepers still have to wait, shortest first. */
  get sleeping(): readonly number[] {
    return [...this.#sleepers].map((sleeper) => sleeper.until - this.#now).toSorted((left, right) => left - right)
  }

  /** Lets time pass and wakes who is due, in order of date; what they do at once happens before the next is woken. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms
    for (let next = this.#earliest(end); next; next = this.#earliest(end)) {
      this.#now = Math.max(this.#now, next.until)
      this.#sleepers.delete(next)
      next.wake()
      await new Promise((resolve) => setImmediate(resolve))
    }
    this.#now = end
  }

  #earliest(end: number): Sleeper | undefined {
    let earliest: Sleeper | undefined
    for (const sleeper of this.#sleepers) if (sleeper.until <= end && (!earliest || sleeper.until < earliest.until)) earliest = sleeper
    return earliest
  }
}
