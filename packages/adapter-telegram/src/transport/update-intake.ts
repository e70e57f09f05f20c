import type { AdapterContext } from '@hermes/plugin-sdk'
import type { Api } from 'grammy'
import { toTrouble } from '../failures.js'
import { toGrammySignal } from '../grammy-signal.js'
import { readUpdate } from '../inbound.js'
import { readQueryId } from '../inbound-choice.js'
import type { SkipReason } from '../inbound-reading.js'
import type { BotIdentity } from '../inbound-text.js'
import type { NativeUpdates } from './native-updates.js'

/** What updates are taken with. */
export interface UpdateIntakeParts {
  readonly api: Api
  readonly us: BotIdentity
  readonly natives: NativeUpdates
  readonly context: AdapterContext<'telegram'>
}

/** Hands what updates say to the core, whichever way they came. */
export class UpdateIntake {
  readonly #parts: UpdateIntakeParts
  readonly #skipped = new Map<SkipReason, number>()

  constructor(parts: UpdateIntakeParts) {
    this.#parts = parts
  }

  /** Resolves when the update may be acknowledged; rejects as `context.receive` does. */
  async receive(update: unknown): Promise<void> {
    const { us, context, natives } = this.#parts
    const read = readUpdate(update, { us, now: context.clock.now() })
    if ('skipped' in read) this.#countSkipped(read.skipped)
    else await Promise.all(read.events.map((event) => context.receive(event)))
    const queryId = readQueryId(update)
    if (queryId !== undefined) void this.#answerQuery(queryId)
    if (!('skipped' in read) || read.skipped !== 'malformed') natives.show(update)
  }

  /** The button shows that it waits until its press is answered. Best effort: the press itself is stored. */
  async #answerQuery(queryId: string): Promise<void> {
    const { api, context } = this.#parts
    try {
      await api.answerCallbackQuery(queryId, {}, toGrammySignal(context.signal))
    } catch (error) {
      context.logger.debug({ detail: toTrouble(error).detail }, 'The press of a button could not be answered; the button stops waiting by itself')
    }
  }

  /** Says once what kind of updates are left out; the log of a busy group would be full of it otherwise. */
  #countSkipped(reason: SkipReason): void {
    const count = (this.#skipped.get(reason) ?? 0) + 1
    this.#skipped.set(reason, count)
    if (count > 1) return
    const { logger } = this.#parts.context
    const log = reason === 'malformed' ? logger.warn : logger.debug
    log({ reason }, 'An update makes no event and is acknowledged; more of this kind are not logged')
  }
}
