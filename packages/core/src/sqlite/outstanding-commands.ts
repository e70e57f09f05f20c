import { HermesError } from '@hermes/plugin-sdk'
import type { StoreCommandName } from '../store/index.js'
import { storeError } from './store-error.js'
import type { Answer } from './wire.js'

/** Most commands that may wait for their answer. */
const outstandingLimit = 1024

interface Outstanding {
  readonly id: string
  readonly name: StoreCommandName
  /** JSON, made when the command was given: what the caller changes afterwards changes nothing. */
  readonly text: string
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/** Commands that were given and not answered, in their order. */
export class OutstandingCommands {
  readonly #commands = new Map<number, Outstanding>()
  readonly #prefix: string
  #last = 0
  #unsent: string[] = []

  /** `prefix` makes the ids of commands that came without one unique over all lives of the file. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  get size(): number {
    return this.#commands.size
  }

  /** How many are with the thread. */
  get sent(): number {
    return this.#commands.size - this.#unsent.length
  }

  /** Adds a command; its answer is the promise. Rejects with `store.overloaded` when too many wait. */
  add(name: StoreCommandName, args: unknown, givenId: string | undefined): Promise<unknown> {
    const waiting = this.#commands.size
    if (waiting >= outstandingLimit) return Promise.reject(overloaded(name, waiting))
    const number = ++this.#last
    const id = givenId ?? `${this.#prefix}.${number}`
    const text = JSON.stringify({ number, id, name, args })
    this.#unsent.push(text)
    return new Promise((resolve, reject) => this.#commands.set(number, { id, name, text, resolve, reject }))
  }

  /** What was added since the last call. */
  takeUnsent(): readonly string[] {
    const unsent = this.#unsent
    this.#unsent = []
    return unsent
  }

  /** All of it, for a thread that knows none of it. */
  takeAll(): readonly string[] {
    this.#unsent = []
    return [...this.#commands.values()].map((command) => command.text)
  }

  /** Settles commands. An answer that came twice counts once. */
  answer(answers: readonly Answer[]): void {
    for (const { number, result, failure } of answers) {
      const command = this.#take(number)
      if (failure) command?.reject(storeError(failure))
      else command?.resolve(result)
    }
  }

  /** Gives all of them up: whether they took effect is not known. */
  unsettle(cause: unknown): void {
    this.#unsent = []
    for (const [number, { id, name, reject }] of this.#commands) {
      this.#take(number)
      reject(unsettled({ command: name, id }, cause))
    }
  }

  #take(number: number): Outstanding | undefined {
    const command = this.#commands.get(number)
    this.#commands.delete(number)
    return command
  }
}

function overloaded(name: string, waiting: number): HermesError {
  return new HermesError(
    'store.overloaded',
    `${name} was refused: ${waiting} commands wait for the store already. Try it again when some are done.`,
    {
      waiting,
    },
  )
}

function unsettled(detail: { command: string; id: string }, cause: unknown): HermesError {
  const message = `The store's worker was lost while ${detail.command} was under way; it may have taken effect. Send it again with the id ${detail.id}: it is applied once.`
  return new HermesError('store.unsettled', message, detail, { cause })
}
