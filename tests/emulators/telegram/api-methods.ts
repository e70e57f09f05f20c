import type { BotCommand, WebhookInfo } from '@grammyjs/types'
import { accepted, badRequest, refusals } from './api-reply.js'
import type { ApiReply } from './api-reply.js'
import type { MethodName } from './ledger.js'
import { deleteMessage, editMessageText, sendChatAction, sendMessage } from './message-methods.js'
import type { CallbackQueries } from './callback-queries.js'
import type { FileShelf } from './file-shelf.js'
import { integerOf, isTrue, objectOf, textsOf } from './parameters.js'
import type { Payload } from './payload-reader.js'
import type { UpdateQueue } from './update-queue.js'
import type { WebhookCourier } from './webhook-courier.js'
import type { World } from './world.js'

type Method = (payload: Payload, signal: AbortSignal) => ApiReply | Promise<ApiReply>

const longestPollSeconds = 50

/** What the methods work on. */
export interface MethodParts {
  readonly world: World
  readonly updates: UpdateQueue
  readonly files: FileShelf
  readonly webhook: WebhookCourier
  readonly queries: CallbackQueries
}

/** The methods that the emulator knows. Every other name is unknown to it, also one that the real server has. */
export class ApiMethods {
  readonly #world: World
  readonly #updates: UpdateQueue
  readonly #methods: ReadonlyMap<string, Method>
  readonly #parts: MethodParts
  /** By scope. */
  readonly #commands = new Map<string, readonly BotCommand[]>()

  constructor(parts: MethodParts) {
    this.#parts = parts
    this.#world = parts.world
    this.#updates = parts.updates
    this.#methods = new Map(Object.entries(this.#table()).map(([name, method]) => [name.toLowerCase(), method]))
  }

  /** Runs one call. `signal` is aborted when the client goes away; only a long poll heeds it. */
  run(method: string, payload: Payload, signal: AbortSignal): ApiReply | Promise<ApiReply> {
    return this.#methods.get(method.toLowerCase())?.(payload, signal) ?? refusals.noSuchMethod
  }

  /** The menu of a scope, as the bot set it. */
  commands(scope?: Payload): readonly BotCommand[] {
    return this.#commands.get(scopeOf(scope)) ?? []
  }

  #table(): Partial<Record<MethodName, Method>> {
    const world = this.#world
    return {
      getMe: () => accepted(world.me),
      getUpdates: (payload, signal) => this.#getUpdates(payload, signal),
      setWebhook: (payload) => this.#setWebhook(payload),
      deleteWebhook: (payload) => this.#setWebhook({ ...payload, url: '' }),
      getWebhookInfo: () => accepted(this.#webhookInfo()),
      setMyCommands: (payload) => this.#setMyCommands(payload),
      getMyCommands: (payload) => accepted(this.commands(objectOf(payload['scope']))),
      getFile: (payload) => this.#parts.files.getFile(payload),
      answerCallbackQuery: (payload) => this.#parts.queries.answer(payload),
      sendMessage: (payload) => sendMessage(world, payload),
      editMessageText: (payload) => editMessageText(world, payload),
      deleteMessage: (payload) => deleteMessage(world, payload),
      sendChatAction: (payload) => sendChatAction(world, payload),
      close: () => accepted(true),
      logOut: () => accepted(true),
    }
  }

  #getUpdates(payload: Payload, signal: AbortSignal): ApiReply | Promise<ApiReply> {
    if (this.#parts.webhook.url !== '') return refusals.webhookActive
    const kinds = textsOf(payload['allowed_updates'])
    if (kinds) this.#updates.allow(kinds)
    const limit = integerOf(payload['limit']) ?? 100
    const seconds = integerOf(payload['timeout']) ?? 0
    const request = {
      offset: integerOf(payload['offset']) ?? 0,
      limit: limit >= 1 && limit <= 100 ? limit : 100,
      timeoutMs: Math.min(Math.max(0, seconds), longestPollSeconds) * 1000,
    }
    return this.#updates.poll(request, signal)
  }

  #setWebhook(payload: Payload): ApiReply {
    const url = payload['url'] ?? ''
    if (typeof url !== 'string' || (url !== '' && !url.startsWith('https://')))
      return badRequest('bad webhook: An HTTPS URL must be provided for webhook')
    const kinds = textsOf(payload['allowed_updates'])
    if (kinds) this.#updates.allow(kinds)
    if (isTrue(payload['drop_pending_updates'])) this.#updates.drop()
    const { secret_token: secret = '' } = payload
    if (typeof secret !== 'string' || !/^[A-Za-z0-9_-]{0,256}$/.test(secret)) return badRequest('secret token contains unallowed characters')
    if (url !== '') this.#updates.endPoll(refusals.webhookSet)
    this.#parts.webhook.set(url, secret || undefined)
    return accepted(true)
  }

  #webhookInfo(): WebhookInfo {
    return { url: this.#parts.webhook.url, has_custom_certificate: false, pending_update_count: this.#updates.pending.length }
  }

  #setMyCommands(payload: Payload): ApiReply {
    const commands = payload['commands']
    if (!Array.isArray(commands)) return badRequest('expected an Array of BotCommand')
    for (const command of commands as Partial<BotCommand>[]) {
      if (!/^[a-z0-9_]{1,32}$/.test(command.command ?? '')) return badRequest('BOT_COMMAND_INVALID')
      if (!command.description || command.description.length > 256) return badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
    }
    if (commands.length > 100) return badRequest('BOT_COMMANDS_TOO_MUCH')
    this.#commands.set(scopeOf(objectOf(payload['scope'])), commands as BotCommand[])
    return accepted(true)
  }
}

function scopeOf(scope: Payload | undefined): string {
  return JSON.stringify([scope?.['type'] ?? 'default', scope?.['chat_id'], scope?.['user_id']])
}
