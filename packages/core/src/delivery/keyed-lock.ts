/** Lets one job at a time run for each key, in the order of the calls. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>()

  /** Resolves or rejects as the job does; a job that rejects does not harm those behind it. */
  async run<T>(key: string, job: () => Promise<T>): Promise<T> {
    const turn = this.#after(this.#tails.get(key), job)
    const tail = turn.then(ignore, ignore)
    this.#tails.set(key, tail)
    try {
      return await turn
    } finally {
      if (this.#tails.get(key) === tail) this.#tails.delete(key)
    }
  }

  async #after<T>(before: Promise<void> | undefined, job: () => Promise<T>): Promise<T> {
    await before
    return job()
  }
}

function ignore(): void {}
