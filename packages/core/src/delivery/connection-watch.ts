import type { Clock } from '@hermes/plugin-sdk'

/** Timers of the platform cannot wait for longer than 24 days; a long wait is made of these. */
const longestPauseMs = 3_600_000

/** Knows how often an instance connected, and wakes who waits for the next time. */
export class ConnectionWatch {
  readonly #ports: { readonly clock: Clock; readonly stopping: AbortSignal }
  readonly #waiting = new Set<() => void>()
  #count = 0

  constructor(ports: { readonly clock: Clock; readonly stopping: AbortSignal }) {
    this.#ports = ports
  }

  /** How often the instance connected in this life. */
  get count(): number {
    return this.#count
  }

  connected(): void {
    this.#count++
    for (const wake of this.#waiting) wake()
  }

  /** Waits for so many milliseconds, for an hour, or for the next connection, whichever is first. Rejects when the house stops. */
  async pause(ms: number): Promise<void> {
    const { clock, stopping } = this.#ports
    stopping.throwIfAborted()
    const over = new AbortController()
    const wake = (): void => over.abort()
    this.#waiting.add(wake)
    stopping.addEventListener('abort', wake)
    try {
      await clock.sleep(Math.min(ms, longestPauseMs), over.signal)
    } catch (error) {
      if (!over.signal.aborted) throw error
    } finally {
      this.#waiting.delete(wake)
      stopping.removeEventListener('abort', wake)
    }
    stopping.throwIfAborted()
  }
}
