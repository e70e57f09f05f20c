/** Bounds how many calls are under way at once. Who comes too late waits in line; the limits of the calls bound the wait. */
export class CallSlots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Runs the job as soon as a slot is free; it resolves or rejects as the job does. */
  async use<T>(job: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await job()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}
