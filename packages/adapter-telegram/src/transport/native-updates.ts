import type { Logger } from '@hermes/plugin-sdk'
import { BotError } from 'grammy'
import type { PluginBot } from './plugin-bot.js'

/** Updates that handlers may work on at once; those that come while so many hang are not shown to them. */
const mostPending = 100

/**
 * Shows every update to the handlers that plugins put onto the bot, after the core has its events: whatever they throw, and however long
 * they take, nothing of ours waits for them. After a crash an update may be shown again.
 */
export class NativeUpdates {
  readonly #bot: PluginBot
  readonly #logger: Logger
  #pending = 0
  #failures = 0
  #isFull = false

  constructor(bot: PluginBot, logger: Logger) {
    this.#bot = bot
    this.#logger = logger
  }

  /** Returns at once. Never throws. */
  show(update: unknown): void {
    if (!this.#bot.hasHandlers) return
    if (this.#pending < mostPending) void this.#handle(update)
    else this.#sayFull()
  }

  async #handle(update: unknown): Promise<void> {
    this.#pending++
    try {
      await this.#bot.handleUpdate(update as Parameters<PluginBot['handleUpdate']>[0])
    } catch (error) {
      this.#sayFailed(error)
    } finally {
      this.#pending--
      this.#isFull = false
    }
  }

  /** Once loud, then for debugging only: a broken handler fails at every update. */
  #sayFailed(error: unknown): void {
    const log = this.#failures++ === 0 ? this.#logger.warn : this.#logger.debug
    // The context of a `BotError` holds the bot, and with it the token.
    const thrown: unknown = error instanceof BotError ? error.error : error
    log({ error: thrown }, 'A handler that a plugin put onto the bot failed; the update was taken all the same.')
  }

  #sayFull(): void {
    if (this.#isFull) return
    this.#isFull = true
    this.#logger.warn({ pending: this.#pending }, 'Handlers that plugins put onto the bot do not end; updates are not shown to them until one does.')
  }
}
