import {
  adapterError,
  type Adapter,
  type AdapterContext,
  type Call,
  type ChatAddress,
  type ChatCapabilities,
  type OutboundMessage,
  type SendOutcome,
} from '@hermes/plugin-sdk'
import { Bot } from 'grammy'
import { toTrouble } from './failures.js'
import { openAgent, type ConnectionAgent } from './connection-agent.js'
import { toGrammySignal } from './grammy-signal.js'
import type { BotIdentity } from './inbound-text.js'
import { asInteger, asObject, asString } from './json-reading.js'
import type { TelegramOptions } from './options.js'
import { sendMessage, textLimit } from './outbound.js'
import { UpdatePoller } from './transport/polling.js'
import { toFailure } from './transport/polling-ladder.js'
import { UpdateIntake } from './transport/update-intake.js'

const capabilities: ChatCapabilities = { text: { limit: textLimit, unit: 'utf16', dialect: 'markdown' } }

interface Connection {
  readonly bot: Bot
  readonly agent: ConnectionAgent
  readonly end: AbortController
  /** Set when events flow. */
  polling?: { readonly poller: UpdatePoller; readonly ended: Promise<void> }
}

/** One connection of one bot, by long polling. */
export class TelegramAdapter implements Adapter<'telegram'> {
  readonly platform = 'telegram'
  /** The id of the bot, which its token begins with. */
  readonly account: string
  readonly stallAfterMs = 180_000
  readonly #options: TelegramOptions
  #connection: Connection | undefined

  constructor(options: TelegramOptions) {
    this.#options = options
    this.account = options.token.reveal().split(':', 1).join()
  }

  async connect(context: AdapterContext<'telegram'>): Promise<void> {
    const connection = this.#open()
    const signal = AbortSignal.any([context.signal, connection.end.signal])
    const us = await this.#prepare(connection, context, signal).catch((error: unknown) => {
      throw adapterError(toFailure(toTrouble(error)))
    })
    const { api } = connection.bot
    const intake = new UpdateIntake({ api, us, context })
    const poller = new UpdatePoller({ api, intake, context, options: this.#options.polling })
    connection.polling = { poller, ended: poller.run(signal) }
  }

  async disconnect(hurry: AbortSignal): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    if (!connection) return
    connection.end.abort()
    const { polling, agent } = connection
    if (polling) {
      await settledOrAborted(polling.ended, hurry)
      await polling.poller.confirm(hurry)
    }
    agent.destroy()
  }

  capabilities(): ChatCapabilities {
    return capabilities
  }

  async send(chat: ChatAddress, message: OutboundMessage, call: Call): Promise<SendOutcome> {
    const connection = this.#connection
    if (!connection?.polling) return { status: 'rejected', reason: 'unavailable', detail: 'the bot is not connected' }
    return sendMessage(connection.bot.api, { chat, message, call })
  }

  #open(): Connection {
    const { token, apiRoot, requestTimeoutSeconds, polling } = this.#options
    const agent = openAgent(apiRoot)
    const timeoutSeconds = requestTimeoutSeconds + polling.timeoutSeconds
    const bot = new Bot(token.reveal(), { client: { apiRoot, timeoutSeconds, baseFetchConfig: { agent } } })
    this.#connection = { bot, agent, end: new AbortController() }
    return this.#connection
  }

  /** All that must be true before the first poll; tells who we are. */
  async #prepare({ bot }: Connection, context: AdapterContext<'telegram'>, signal: AbortSignal): Promise<BotIdentity> {
    const us = await bot.api.getMe(toGrammySignal(signal))
    if (!isIdentity(us)) throw new TypeError('getMe did not answer with a bot')
    bot.botInfo = us
    await context.wireNative(bot)
    const dropsQueue = !context.isReconnect && !this.#options.keepPendingUpdates
    try {
      await bot.api.deleteWebhook({ drop_pending_updates: dropsQueue }, toGrammySignal(signal))
    } catch (error) {
      if (!context.isReconnect || signal.aborted) throw error
      context.logger.warn({ detail: toTrouble(error).detail }, 'The webhook could not be deleted; where there is none, polling works all the same')
    }
    return us
  }
}

/** What is typed as an answer came over the wire, and may be anything. */
function isIdentity(answer: unknown): boolean {
  const fields = asObject(answer)
  return asInteger(fields?.['id']) !== undefined && asString(fields?.['username']) !== undefined
}

/** Waits for work that never rejects, but not longer than the signal allows. */
async function settledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const settled = new AbortController()
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: settled.signal })
  })
  await Promise.race([work, aborted])
  settled.abort()
}
