import type { Message, Opts } from '@grammyjs/types'
import type { UploadedFile } from './payload-reader.js'

/** Names of the Bot API's methods. */
export type MethodName = keyof Opts<UploadedFile>

/** One call that arrived whole. */
export interface Call<Name extends MethodName = MethodName> {
  readonly method: Name
  /** As the client sent it; the values of a form are strings. */
  readonly payload: Opts<UploadedFile>[Name]
  /** Arrival, milliseconds since 1970. */
  readonly at: number
  /** Whether the call has done its work, also where its answer never reached the client. False while it is not decided yet. */
  isAccepted: boolean
  /** The message that the call showed or changed. */
  message?: Message | undefined
}

/** The calls of the bot in the order of their arrival, refused ones too. The oldest fall out beyond the limit. */
export class Ledger {
  readonly #limit: number
  #calls: Call[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  /** All calls that are kept, oldest first. */
  get calls(): readonly Call[] {
    return this.#calls.length > this.#limit ? this.#calls.slice(-this.#limit) : this.#calls
  }

  /** The calls of one method, refused ones too. */
  of<Name extends MethodName>(method: Name): readonly Call<Name>[] {
    return this.calls.filter((call): call is Call<Name> => call.method === method)
  }

  /** The calls of one method that have done their work. */
  accepted<Name extends MethodName>(method: Name): readonly Call<Name>[] {
    return this.of(method).filter((call) => call.isAccepted)
  }

  /** Forgets what was so far. */
  clear(): void {
    this.#calls = []
  }

  /** Writes a call down. */
  add(call: Call): void {
    this.#calls.push(call)
    if (this.#calls.length >= 2 * this.#limit) this.#calls = this.#calls.slice(-this.#limit)
  }
}
