import { HermesError, type AdapterContext } from '@hermes/plugin-sdk'
import { toFailure } from './failures.js'
import { page, toEvent } from './inbound.js'
import type { PostboxClient } from './postbox-client.js'

/** How long the platform holds a request that finds nothing new. */
const pollSeconds = 20
/** A request that takes longer has lost its connection. */
const pollTimeoutMs = 2 * pollSeconds * 1000
/** The waits after requests that failed in a row; one more ends the connection, and the core makes a new one. */
const waitsMs = [1_000, 2_000, 5_000, 10_000, 20_000]
/** Where a receipt fails without saying how long to wait. */
const receiptRetryMs = 1_000

/** What a poller works with. `after`: the last message that is not wanted. */
export interface PollerParts {
  readonly client: PostboxClient
  readonly context: AdapterContext<'postbox'>
  readonly signal: AbortSignal
  readonly after: number
}

/**
 * Fetches messages and hands them on. A request acknowledges all messages up to its `after`, and so `after` moves by receipts alone:
 * over those that came, up to the first that did not.
 */
export class PostboxPoller {
  readonly #parts: PollerParts
  #after: number
  #failures = 0

  constructor(parts: PollerParts) {
    this.#parts = parts
    this.#after = parts.after
  }

  /** Ends with the signal, or with `context.fail`. Never rejects. */
  async run(): Promise<void> {
    const { signal, context } = this.#parts
    while (!signal.aborted) {
      const waitMs = await this.#fetch().catch((error: unknown) => this.#recover(error))
      if (waitMs === undefined) return
      // It rejects with the signal only, which the loop looks at.
      if (waitMs > 0) await context.clock.sleep(waitMs, signal).catch(() => undefined)
    }
  }

  /** One request, and how long to wait before the next. */
  async #fetch(): Promise<number> {
    const { client, context, signal } = this.#parts
    const limit = AbortSignal.any([signal, AbortSignal.timeout(pollTimeoutMs)])
    const { messages } = page.parse(await client.call(`/messages?after=${this.#after}&wait=${pollSeconds}`, { signal: limit }))
    this.#failures = 0
    context.alive()
    // All at once: the order of calls is the order of events.
    const receipts = await Promise.allSettled(messages.map((message) => this.#receive(message)))
    for (const [index, receipt] of receipts.entries()) {
      if (receipt.status === 'rejected') return retryMs(receipt.reason)
      this.#after = messages[index]?.number ?? this.#after
    }
    return 0
  }

  async #receive(message: unknown): Promise<void> {
    const event = toEvent(message)
    if (event) await this.#parts.context.receive(event)
    else this.#parts.context.logger.warn({}, 'A message cannot be read and is left out')
  }

  /** How long to wait after a failure; `undefined`: the connection is over. */
  #recover(error: unknown): number | undefined {
    const { context, signal } = this.#parts
    if (signal.aborted) return undefined
    const failure = toFailure(error)
    const waitMs = waitsMs[this.#failures++]
    if (!failure.isRetryable || waitMs === undefined) {
      context.fail(failure)
      return undefined
    }
    if (this.#failures === 1) context.degraded(failure.message)
    return failure.retryAfterMs ?? waitMs
  }
}

function retryMs(error: unknown): number {
  return HermesError.is(error, 'inbox.unavailable') ? error.detail.retryAfterMs : receiptRetryMs
}
