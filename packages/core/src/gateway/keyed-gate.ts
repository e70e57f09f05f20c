/**
 * Lets tasks of one key pass at once, except behind one that holds: those wait, in order, until it is done. Tasks must not reject.
 * It is bounded by its callers: one task per stored row, and the inbox limits those.
 */
export class KeyedGate {
  readonly #held = new Map<string, Promise<void>>()
  readonly #running = new Set<Promise<void>>()

  enter(key: string, isHolding: boolean, task: () => Promise<void>): void {
    const before = this.#held.get(key)
    const done = before ? before.then(task) : task()
    this.#running.add(done)
    if (before || isHolding) this.#held.set(key, done)
    void done.finally(() => {
      this.#running.delete(done)
      if (this.#held.get(key) === done) this.#held.delete(key)
    })
  }

  /** What holds nobody any more, and is waited for by `idle` all the same. It must not reject. */
  track(done: Promise<void>): void {
    this.#running.add(done)
    void done.finally(() => this.#running.delete(done))
  }

  /** Would a task of this key have to wait now? */
  isHeld(key: string): boolean {
    return this.#held.has(key)
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running)
  }
}
