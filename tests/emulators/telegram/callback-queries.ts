import { accepted, badRequest } from './api-reply.js'
import type { ApiReply } from './api-reply.js'
import type { Payload } from './payload-reader.js'

/** The presses of buttons: each waits until the bot has answered it, once. */
export class CallbackQueries {
  readonly #open = new Set<string>()
  #last = 0

  /** A new press; its id. */
  open(): string {
    const id = String(4_000_000_000 + ++this.#last)
    this.#open.add(id)
    return id
  }

  /** Does a button still wait for its answer? */
  isOpen(id: string): boolean {
    return this.#open.has(id)
  }

  /** The method `answerCallbackQuery`. */
  answer(payload: Payload): ApiReply {
    if (this.#open.delete(String(payload['callback_query_id']))) return accepted(true)
    return badRequest('query is too old and response timeout expired or query ID is invalid')
  }
}
