import {
  adapterError,
  HermesError,
  type Adapter,
  type AdapterContext,
  type Attachment,
  type Call,
  type ChatAddress,
  type ChatCapabilities,
  type CommandMenu,
  type CommandSpec,
  type OpenedAttachment,
  type OutboundMessage,
  type SendOutcome,
} from '@hermes/plugin-sdk'
import { CommandPublisher } from './command-publisher.js'
import { openAgent, type ConnectionAgent } from './connection-agent.js'
import { openFile } from './download.js'
import { toTrouble } from './failures.js'
import { toGrammySignal } from './grammy-signal.js'
import { allowedUpdates } from './inbound.js'
import type { BotIdentity } from './inbound-text.js'
import { asInteger, asObject, asString } from './json-reading.js'
import type { TelegramOptions } from './options.js'
import { sendMessage, textLimit } from './outbound.js'
import { NativeUpdates } from './transport/native-updates.js'
import { PluginBot } from './transport/plugin-bot.js'
import { openPolling } from './transport/open-polling.js'
import { toFailure } from './transport/polling-ladder.js'
import type { Transport, UpdateKind } from './transport/transport.js'
import { UpdateIntake } from './transport/update-intake.js'
import { openWebhook, requireSecret } from './transport/webhook.js'

const capabilities: ChatCapabilities = { text: { limit: textLimit, unit: 'utf16', dialect: 'markdown' } }

/** Descriptions of plugins' commands are cut to it: together a menu may hold a few kilobytes only. */
const descriptionLimit = 40

interface Connection {
  readonly bot: PluginBot
  readonly agent: ConnectionAgent
  readonly end: AbortController
  /** Set when events flow. */
  transport?: Transport
}

/** One connection of one bot, by long polling or by a webhook. */
export class TelegramAdapter implements Adapter<'telegram'> {
  readonly platform = 'telegram'
  /** The id of the bot, which its token begins with. */
  readonly account: string
  /** Polls give a sign of life all the time; a webhook is silent for as long as people are. */
  readonly stallAfterMs: number | undefined
  readonly commandMenu: CommandMenu
  readonly #options: TelegramOptions
  readonly #publisher = new CommandPublisher()
  #connection: Connection | undefined

  constructor(options: TelegramOptions) {
    this.#options = options
    this.account = options.token.reveal().split(':', 1).join()
    this.stallAfterMs = options.webhook ? undefined : 180_000
    this.commandMenu = { limit: options.commandMenuLimit, descriptionLimit, takesArguments: false }
  }

  async connect(context: AdapterContext<'telegram'>): Promise<void> {
    if (this.#options.webhook) requireSecret(this.#options.webhook.secret)
    const connection = this.#open()
    const signal = AbortSignal.any([context.signal, connection.end.signal])
    try {
      const us = await this.#prepare(connection, context, signal)
      connection.transport = await this.#openTransport(connection, { us, context, signal })
    } catch (error) {
      throw adapterError(toFailure(toTrouble(error)))
    }
  }

  async disconnect(hurry: AbortSignal): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    if (!connection) return
    connection.end.abort()
    await connection.transport?.end(hurry)
    connection.agent.destroy()
  }

  capabilities(): ChatCapabilities {
    return capabilities
  }

  async send(chat: ChatAddress, message: OutboundMessage, call: Call): Promise<SendOutcome> {
    const connection = this.#connection
    if (!connection?.transport) return { status: 'rejected', reason: 'unavailable', detail: 'the bot is not connected' }
    return sendMessage(connection.bot.api, { chat, message, call })
  }

  async openAttachment(attachment: Attachment, signal: AbortSignal): Promise<OpenedAttachment> {
    const { bot, agent, end } = this.#connected()
    const { apiRoot, token } = this.#options
    const parts = { api: bot.api, agent, apiRoot, token: token.reveal() }
    return openFile(attachment, parts, AbortSignal.any([signal, end.signal]))
  }

  async publishCommands(commands: readonly CommandSpec[], signal: AbortSignal): Promise<void> {
    const { bot, end } = this.#connected()
    await this.#publisher.publish(commands, bot.api, AbortSignal.any([signal, end.signal]))
  }

  async handleRequest(request: Request): Promise<Response> {
    if (!this.#options.webhook) return new Response(null, { status: 404 })
    const answer = this.#connection?.transport?.handleRequest?.(request)
    return answer ?? new Response(null, { status: 503 })
  }

  #open(): Connection {
    const { token, apiRoot, requestTimeoutSeconds, polling, proxy } = this.#options
    const agent = openAgent(apiRoot, proxy?.reveal())
    const timeoutSeconds = requestTimeoutSeconds + polling.timeoutSeconds
    const bot = new PluginBot(token.reveal(), { client: { apiRoot, timeoutSeconds, baseFetchConfig: { agent } } })
    this.#connection = { bot, agent, end: new AbortController() }
    return this.#connection
  }

  /** All that must be true before events flow; tells who we are. */
  async #prepare({ bot }: Connection, context: AdapterContext<'telegram'>, signal: AbortSignal): Promise<BotIdentity> {
    const us = await bot.api.getMe(toGrammySignal(signal))
    if (!isIdentity(us)) throw new TypeError('getMe did not answer with a bot')
    bot.botInfo = us
    await context.wireNative(bot)
    return us
  }

  async #openTransport(
    { bot }: Connection,
    { us, context, signal }: { us: BotIdentity; context: AdapterContext<'telegram'>; signal: AbortSignal },
  ): Promise<Transport> {
    const { api } = bot
    const options = this.#options
    const dropsQueue = !context.isReconnect && !options.keepPendingUpdates
    const natives = new NativeUpdates(bot, context.logger)
    const updateKinds = [...new Set([...allowedUpdates, ...(options.moreUpdates as UpdateKind[])])]
    const parts = { api, updateKinds, intake: new UpdateIntake({ api, us, context, natives }), context, options, signal, dropsQueue }
    return options.webhook ? openWebhook(parts, options.webhook) : openPolling(parts)
  }

  #connected(): Connection {
    if (this.#connection?.transport) return this.#connection
    throw new HermesError('stopped', 'The bot is not connected.', { what: 'connection to Telegram' })
  }
}

/** What is typed as an answer came over the wire, and may be anything. */
function isIdentity(answer: unknown): boolean {
  const fields = asObject(answer)
  return asInteger(fields?.['id']) !== undefined && asString(fields?.['username']) !== undefined
}
