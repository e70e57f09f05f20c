import { HermesError, type AgentEvent, type Run, type StopReason, type TurnOutcome, type TurnRef } from '@hermes/plugin-sdk'
import type { RunningTurn } from './ports.js'

/** A run from its request to its end, as this process sees it. */
export class OpenRun {
  /** What its callers hold of it. */
  readonly handle: Run
  /** Why its turn is to end, from when the store knows. */
  stop: StopReason | undefined
  readonly #over = new AbortController()
  readonly #lives: RunningTurn[] = []
  readonly #turn = settlement<TurnRef>()
  readonly #result = settlement<TurnOutcome>()
  #refusal: { readonly error: unknown } | undefined
  #waiting: (() => void)[] = []

  constructor() {
    this.handle = Object.freeze({
      turn: this.#turn.promise,
      events: { [Symbol.asyncIterator]: () => this.#read() },
      result: this.#result.promise,
      answer: (...given) => this.#lives.at(-1)?.answer(...given) ?? false,
    } satisfies Run)
  }

  /** Aborts when nothing follows any more. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  /** A life of its turn has begun. */
  begin(turn: TurnRef, life: RunningTurn): void {
    this.#lives.push(life)
    this.#turn.resolve(turn)
    this.#wake()
  }

  /** It ended, or goes on in another process. */
  end(outcome: TurnOutcome): void {
    this.#turn.reject(new HermesError('stopped', `The run is ${outcome.status}, and its turn did not begin here.`, { what: 'run' }))
    this.#result.resolve(outcome)
    this.#close()
  }

  /** It was never accepted. */
  refuse(error: unknown): void {
    this.#refusal = { error }
    this.#turn.reject(error)
    this.#result.reject(error)
    this.#close()
  }

  #close(): void {
    this.#over.abort()
    this.#wake()
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake()
  }

  async *#read(): AsyncGenerator<AgentEvent, void> {
    for (let read = 0; ;) {
      const life = this.#lives[read]
      if (life) {
        yield* life.events
        read++
      } else if (this.#refusal) throw this.#refusal.error
      else if (this.over.aborted) return
      else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
  }
}

interface Settlement<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: unknown) => void
}

/** A promise that nobody has to wait for. */
function settlement<T>(): Settlement<T> {
  let resolve: Settlement<T>['resolve'] = () => undefined
  let reject: Settlement<T>['reject'] = () => undefined
  const promise = new Promise<T>((...ends) => ([resolve, reject] = ends))
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
