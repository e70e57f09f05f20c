/** How long a `waitFor` waits, and how its failure names what was waited for. */
export interface WaitOptions {
  /** Default 10,000. */
  timeoutMs?: number | undefined
  /** Reads after "waited for", e.g. "the second answer". */
  what?: string | undefined
}

interface Waiter {
  look(): void
  giveUp(reason: Error): void
}

/** Lets tests wait for a state of the emulator: what they look for is looked at again after every change, never by a timer. */
export class Changes {
  readonly #waiters = new Set<Waiter>()
  #stopped = false

  /** Something that a test can see is different now. */
  notify(): void {
    for (const waiter of this.#waiters) waiter.look()
  }

  /**
   * Resolves with the first value of `probe` that is neither `undefined`, `null` nor `false`. Rejects when the time is over, when
   * `probe` throws, and when the emulator stops.
   */
  waitFor<T>(probe: () => T | undefined | null | false, options: WaitOptions = {}): Promise<T> {
    const { timeoutMs = 10_000, what = 'a change' } = options
    return new Promise<T>((resolve, reject) => {
      const settle = (finish: () => void): void => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        finish()
      }
      const giveUp = (reason: unknown): void => settle(() => reject(reason))
      const look = (): void => {
        try {
          const value = probe()
          if (value !== undefined && value !== null && value !== false) settle(() => resolve(value))
        } catch (error) {
          giveUp(error)
        }
      }
      const waiter: Waiter = { look, giveUp }
      const timer = setTimeout(() => giveUp(new Error(`waited for ${what}, and it did not come within ${timeoutMs} ms`)), timeoutMs)
      this.#waiters.add(waiter)
      if (this.#stopped) giveUp(new Error(`waited for ${what}, but the emulator has stopped`))
      else look()
    })
  }

  /** Ends every wait with an error, also those that begin later. */
  stop(): void {
    this.#stopped = true
    for (const waiter of this.#waiters) waiter.giveUp(new Error('the emulator stopped while something was waited for'))
  }
}
