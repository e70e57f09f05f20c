import type { Registration } from '@hermes/plugin-sdk'

/** Works a lane off until nothing waits in it. Never rejects. */
export type Drain = (lane: string) => Promise<void>

/**
 * Who works on a lane. `wake`: some live node drains it soon. `serve`: this node offers to drain. One drain per lane at a time is
 * an aim, not a promise: where it fails, the epoch in the store fences.
 */
export interface LaneDispatch {
  wake(lane: string): void
  serve(drain: Drain): Registration
}

/**
 * The dispatch of one process. At most `concurrency` lanes are drained at once; others wait in the order of their waking. A lane
 * that is woken while it is drained is drained once more.
 */
export function createLocalDispatch(concurrency: number): LaneDispatch {
  return new LocalDispatch(concurrency)
}

class LocalDispatch implements LaneDispatch {
  readonly #concurrency: number
  /** Lanes that wait for a place, in order. Its bound is the number of conversations with work, which the intake limits. */
  readonly #waiting = new Set<string>()
  readonly #running = new Set<string>()
  #drain: Drain | undefined

  constructor(concurrency: number) {
    this.#concurrency = concurrency
  }

  wake(lane: string): void {
    this.#waiting.add(lane)
    this.#fill()
  }

  serve(drain: Drain): Registration {
    this.#drain = drain
    this.#fill()
    const dispose = (): void => {
      if (this.#drain === drain) this.#drain = undefined
    }
    return { dispose, [Symbol.dispose]: dispose }
  }

  #fill(): void {
    for (const lane of this.#waiting) {
      if (!this.#drain || this.#running.size >= this.#concurrency) return
      if (this.#running.has(lane)) continue
      this.#waiting.delete(lane)
      void this.#run(lane, this.#drain)
    }
  }

  async #run(lane: string, drain: Drain): Promise<void> {
    this.#running.add(lane)
    try {
      await drain(lane)
    } finally {
      this.#running.delete(lane)
      this.#fill()
    }
  }
}
