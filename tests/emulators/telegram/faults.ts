import type { MethodName } from './ledger.js'

/** What goes wrong with a call. The first three lines happen instead of its work, the last one after it. */
export type FaultKind =
  | { kind: 'rate-limit'; retryAfterSeconds: number }
  | { kind: 'conflict' | 'bad-token' | 'bad-format' | 'too-long' | 'chat-gone' | 'thread-gone' | 'message-gone' | 'forbidden' }
  | { kind: 'migrate'; toChatId: number }
  | { kind: 'error-before'; status?: number | undefined }
  | { kind: 'drop-before' | 'hang' }
  | { kind: 'error-after'; status?: number | undefined }
  | { kind: 'garbage'; body?: string | undefined }
  | { kind: 'drop-after' | 'slow' }

/**
 * A fault to come.
 *
 * - `rate-limit` 429; `conflict` 409; `bad-token` 401; `forbidden` 403 "bot was blocked by the user"; `bad-format` 400 "can't parse
 *   entities"; `message-gone` 400 of the reply's, the edited or the deleted message, as fits the method; `migrate` 400 with the new id.
 * - `error-before` and `error-after`: `status` 500 to 504, default 502, before or after the call has done its work.
 * - `drop-before` and `drop-after`: the connection is reset.
 * - `hang`: nothing is done and nothing said until the client leaves. `slow`: all is done, the answer waits for `release()`.
 * - `garbage`: all is done, the answer (status 200) is `body`, by default a page that is not JSON.
 */
export type Fault = FaultKind & {
  /** Default: every method. `downloadFile`: the fetching of a file's bytes, which is no method. */
  method?: MethodName | 'downloadFile' | undefined
  /** Calls that it meets before it is used up; `Infinity` until removed. Default 1. */
  times?: number | undefined
  /** Only calls to this chat. */
  chatId?: number | undefined
}

/** A fault that was added. */
export interface PlantedFault {
  readonly fault: Fault
  /** Calls that it has met. */
  readonly hits: number
  /** Lets the answers go that `slow` holds; later ones are not held. */
  release(): void
  /** Meets no further call. */
  remove(): void
}

/** A planted fault from the side of the server. */
export interface FaultHit {
  readonly fault: Fault
  /** Resolves at `release()`. */
  readonly released: Promise<void>
}

interface Entry extends FaultHit {
  hits: number
}

/** The faults to come. A call meets the oldest that fits it, and no other. */
export class FaultScript {
  readonly #entries = new Set<Entry>()

  /** Plants a fault. */
  add(fault: Fault): PlantedFault {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    const entry: Entry = { fault, released, hits: 0 }
    this.#entries.add(entry)
    return {
      fault,
      get hits() {
        return entry.hits
      },
      release,
      remove: () => {
        this.#entries.delete(entry)
      },
    }
  }

  /** Removes every fault; what hangs goes on hanging. */
  clear(): void {
    this.#entries.clear()
  }

  /** The fault that meets this call, counted; `undefined` when all goes well. */
  take(method: string, payload: Readonly<Record<string, unknown>>): FaultHit | undefined {
    for (const entry of this.#entries) {
      const { method: name, chatId, times = 1 } = entry.fault
      if (name !== undefined && name.toLowerCase() !== method.toLowerCase()) continue
      if (chatId !== undefined && String(payload['chat_id']) !== String(chatId)) continue
      entry.hits += 1
      if (entry.hits >= times) this.#entries.delete(entry)
      return entry
    }
    return undefined
  }
}
