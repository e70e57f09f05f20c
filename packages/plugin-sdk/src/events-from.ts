import type { RuntimeEvent } from './agent.js'

/** Emissions that may wait at once. A loop that awaits each has one, or one for each of its parallel branches. */
const mostWaiting = 1_000

interface Emission {
  readonly event: RuntimeEvent
  handled(): void
  refused(error: unknown): void
}

/**
 * The events of a loop that calls back, for `AgentRuntime.run`. `emit` resolves when the host has handled the event and, if it is
 * durable, stored it. Once the host takes no more, because the turn was stopped, every `emit` rejects with an `AbortError`, so that
 * the loop unwinds; what it throws then is left out. A loop that lets more than 1,000 emissions wait has them rejected.
 */
export async function* eventsFrom(
  start: (emit: (event: RuntimeEvent) => Promise<void>) => Promise<void>,
): AsyncGenerator<RuntimeEvent, void, undefined> {
  const emissions = new Emissions()
  const ended = runLoop(start, emissions)
  try {
    for (let next = await emissions.next(); next; next = await emissions.next()) {
      yield next.event
      next.handled()
    }
  } finally {
    emissions.close()
    await ended
  }
}

/** Never rejects: the end of the loop is told by its emissions. */
async function runLoop(start: (emit: (event: RuntimeEvent) => Promise<void>) => Promise<void>, emissions: Emissions): Promise<void> {
  try {
    await start((event) => emissions.add(event))
    emissions.end()
  } catch (error) {
    emissions.fail(error)
  }
}

/** What was emitted and not handled, in order. */
class Emissions {
  readonly #waiting: Emission[] = []
  #current: Emission | undefined
  #wake: () => void = () => undefined
  #isClosed = false
  #isEnded = false
  #failure: { readonly error: unknown } | undefined

  /** Resolves when the event was handled. */
  add(event: RuntimeEvent): Promise<void> {
    const handling = new Promise<void>((handled, refused) => {
      if (this.#isClosed) refused(closed())
      else if (this.#waiting.length >= mostWaiting) refused(new RangeError(`${mostWaiting} emissions wait already: await each emit().`))
      else this.#waiting.push({ event, handled, refused })
    })
    // A loop that does not await its emissions must not end the process when they are refused.
    handling.catch(() => undefined)
    this.#wake()
    return handling
  }

  /** The loop is through: what still waits is the last. */
  end(): void {
    this.#isEnded = true
    this.#wake()
  }

  /** The loop threw: `next` throws it behind what still waits. */
  fail(error: unknown): void {
    this.#failure = { error }
    this.end()
  }

  /** Nothing is handled any more. */
  close(): void {
    this.#isClosed = true
    this.#current?.refused(closed())
    for (const emission of this.#waiting.splice(0)) emission.refused(closed())
  }

  /** The next emission, when there is one; `undefined` behind the last. */
  async next(): Promise<Emission | undefined> {
    while (this.#waiting.length === 0 && !this.#isEnded) await new Promise<void>((resolve) => (this.#wake = resolve))
    this.#current = this.#waiting.shift()
    if (!this.#current && this.#failure) throw this.#failure.error
    return this.#current
  }
}

function closed(): DOMException {
  return new DOMException('The turn takes no more events: it was stopped.', 'AbortError')
}
