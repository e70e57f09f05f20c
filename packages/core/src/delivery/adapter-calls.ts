import type { Call, Clock, Logger, SendOutcome } from '@hermes/plugin-sdk'
import { readOutcome } from './read-outcome.js'

/** Whose call it is, and for which piece. */
export interface CallSubject {
  readonly adapter: string
  readonly key: string
}

interface OpenCall {
  readonly call: AbortController
  readonly limit: AbortController
}

/** Ends the watch over a call. One for all: a reason of its own for every call would cost a stack. */
const settled = new Error('The call has settled.')

/** Calls of adapters: each is bounded in time, and each ends with an outcome, whatever the adapter does. */
export class AdapterCalls {
  readonly #ports: { readonly clock: Clock; readonly logger: Logger; readonly timeoutMs: number }
  readonly #open = new Set<OpenCall>()
  #endedBy: Error | undefined

  constructor(ports: { readonly clock: Clock; readonly logger: Logger; readonly timeoutMs: number }) {
    this.#ports = ports
  }

  /**
   * Makes one call. A throw, and an answer that is no outcome, count as `unknown` and are logged as the adapter's defect; so does a
   * call that does not settle in time, which is told to stop. Rejects only with the reason of `abortAll`.
   */
  async make(subject: CallSubject, operation: (call: Call) => Promise<SendOutcome>): Promise<SendOutcome> {
    if (this.#endedBy) throw this.#endedBy
    const open: OpenCall = { call: new AbortController(), limit: new AbortController() }
    this.#open.add(open)
    try {
      return await Promise.race([this.#ask(subject, operation, open.call.signal), this.#expire(subject, open)])
    } finally {
      this.#open.delete(open)
      open.limit.abort(settled)
    }
  }

  /** Tells every call under way to stop, waits for none of them, and makes no more. */
  abortAll(reason: Error): void {
    this.#endedBy = reason
    for (const { call, limit } of this.#open) {
      limit.abort(reason)
      call.abort(reason)
    }
  }

  async #ask(subject: CallSubject, operation: (call: Call) => Promise<SendOutcome>, signal: AbortSignal): Promise<SendOutcome> {
    try {
      const outcome = readOutcome(await operation({ key: subject.key, signal }))
      if (outcome) return outcome
      this.#ports.logger.error({ ...subject }, `Adapter ${subject.adapter} answered a call with something that is no outcome; this is its defect.`)
      return { status: 'unknown', detail: 'The adapter answered with something that is no outcome.' }
    } catch (error) {
      this.#ports.logger.error({ ...subject, error }, `Adapter ${subject.adapter} threw instead of answering with an outcome; this is its defect.`)
      return { status: 'unknown', detail: 'The adapter threw instead of answering.', cause: error }
    }
  }

  async #expire(subject: CallSubject, { call, limit }: OpenCall): Promise<SendOutcome> {
    const { clock, logger, timeoutMs } = this.#ports
    await clock.sleep(timeoutMs, limit.signal)
    const detail = `The call did not settle in ${timeoutMs} ms.`
    logger.warn({ ...subject, timeoutMs }, `A call of adapter ${subject.adapter} took too long and is told to stop.`)
    call.abort(new Error(detail))
    return { status: 'unknown', detail }
  }
}
