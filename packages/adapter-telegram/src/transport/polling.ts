import { HermesError, type AdapterContext } from '@hermes/plugin-sdk'
import type { Api } from 'grammy'
import { toTrouble, type Trouble } from '../failures.js'
import { toGrammySignal } from '../grammy-signal.js'
import { asInteger, asObject } from '../json-reading.js'
import type { PollingOptions } from '../options.js'
import { PollingLadder } from './polling-ladder.js'
import type { UpdateKind } from './transport.js'
import type { UpdateIntake } from './update-intake.js'

/** The wait after a receipt that failed without saying how long, milliseconds. */
const receiptRetryMs = 1000

/** What a poller works with. */
export interface PollerParts {
  readonly api: Api
  readonly intake: UpdateIntake
  readonly context: AdapterContext<'telegram'>
  readonly options: PollingOptions
  readonly updateKinds: readonly UpdateKind[]
}

/**
 * Fetches updates and hands them on. Telegram forgets an update when a later poll names a higher offset, so the offset moves by
 * receipts alone: over those that came, up to the first that did not. A new batch is fetched when the last one is settled.
 */
export class UpdatePoller {
  readonly #parts: PollerParts
  readonly #ladder: PollingLadder
  #offset = 0
  #confirmedOffset = 0

  constructor(parts: PollerParts) {
    this.#parts = parts
    this.#ladder = new PollingLadder(parts.options, parts.context.clock)
  }

  /** Polls until the signal aborts or the connection fails for good; then `context.fail` has been called. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    try {
      let isGoing = true
      while (isGoing && !signal.aborted) isGoing = await this.#round(signal)
    } catch (error) {
      if (signal.aborted) return
      const { context } = this.#parts
      context.fail({ code: 'protocol', message: 'The polling of Telegram broke; this is a defect of the adapter.', isRetryable: true, cause: error })
    }
  }

  /** Tells Telegram what was received since the last poll, so that it does not come again. Best effort. */
  async confirm(hurry: AbortSignal): Promise<void> {
    if (this.#offset === this.#confirmedOffset || hurry.aborted) return
    try {
      await this.#parts.api.getUpdates({ offset: this.#offset, limit: 1, timeout: 0 }, toGrammySignal(hurry))
    } catch (error) {
      const { detail } = toTrouble(error)
      this.#parts.context.logger.debug({ detail }, 'The last offset is not confirmed: what was received comes again and is dropped as known')
    }
  }

  /** One poll and what follows from it; `false` ends the polling. */
  async #round(signal: AbortSignal): Promise<boolean> {
    let updates: readonly unknown[]
    try {
      updates = await this.#fetch(signal)
    } catch (error) {
      return !signal.aborted && this.#recover(toTrouble(error), signal)
    }
    this.#ladder.reset()
    this.#parts.context.alive()
    const failure = await this.#receiveAll(updates)
    if (failure) await this.#sleep(readRetryMs(failure.reason), signal)
    return true
  }

  async #fetch(signal: AbortSignal): Promise<readonly unknown[]> {
    const { timeoutSeconds, batchSize } = this.#parts.options
    const offset = this.#offset
    const request = { offset, limit: batchSize, timeout: timeoutSeconds, allowed_updates: this.#parts.updateKinds }
    const updates: unknown = await this.#parts.api.getUpdates(request, toGrammySignal(signal))
    if (!Array.isArray(updates)) throw new TypeError('getUpdates did not answer with a list')
    // Without a single id the offset could not move and the same list would come at once, for ever.
    if (updates.length > 0 && updates.every((update) => readUpdateId(update) === undefined)) throw new TypeError('updates without ids')
    this.#confirmedOffset = offset
    return updates
  }

  /** Waits for all receipts of a batch and moves the offset; gives back the first rejection, if there is one. */
  async #receiveAll(updates: readonly unknown[]): Promise<PromiseRejectedResult | undefined> {
    const receipts = await Promise.allSettled(updates.map((update) => this.#parts.intake.receive(update)))
    for (const [index, receipt] of receipts.entries()) {
      if (receipt.status === 'rejected') return receipt
      const updateId = readUpdateId(updates[index])
      if (updateId !== undefined) this.#offset = updateId + 1
    }
    return undefined
  }

  async #recover(trouble: Trouble, signal: AbortSignal): Promise<boolean> {
    const { context } = this.#parts
    const isFirst = this.#ladder.isAtRest
    const step = this.#ladder.next(trouble)
    if ('failure' in step) {
      context.fail(step.failure)
      return false
    }
    if (isFirst) context.degraded(trouble.detail)
    context.logger.warn({ trouble: trouble.kind, detail: trouble.detail, waitMs: step.waitMs }, 'Polling failed and is tried again')
    await this.#sleep(step.waitMs, signal)
    return true
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    try {
      await this.#parts.context.clock.sleep(ms, signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

function readUpdateId(update: unknown): number | undefined {
  return asInteger(asObject(update)?.['update_id'])
}

function readRetryMs(error: unknown): number {
  return HermesError.is(error, 'inbox.unavailable') ? error.detail.retryAfterMs : receiptRetryMs
}
