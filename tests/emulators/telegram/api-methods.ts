import type { BotCommand, WebhookInfo } from '@grammyjs/types'
import { accepted, badRequest, refusals } from './api-reply.js'
import type { ApiReply } from './api-reply.js'
import type { MethodName } from './ledger.js'
import { deleteMessage, editMessageText, sendChatAction, sendMessage } from './message-methods.js'
import { integerOf, isTrue, textsOf } from './parameters.js'
import type { Payload } from './payload-reader.js'
import type { UpdateQueue } from './update-queue.js'
import type { World } from './world.js'

type Method = (payload: Payload, signal: AbortSignal) => ApiReply | Promise<ApiReply>

const longestPollSeconds = 50

/** The methods that the emulator knows. Every other name is unknown to it, also one that the real server has. */
export class ApiMethods {
  readonly #world: World
  readonly #updates: UpdateQueue
  readonly #methods: ReadonlyMap<string, Method>
  #webhookUrl = ''
  #commands: readonly BotCommand[] = []

  constructor(world: World, updates: UpdateQueue) {
    this.#world = world
    this.#updates = updates
    this.#methods = new Map(Object.entries(this.#table()).map(([name, method]) => [name.toLowerCase(), method]))
  }

  /** Runs one call. `signal` is aborted when the client goes away; only a long poll heeds it. */
  run(method: string, payload: Payload, signal: AbortSignal): ApiReply | Promise<ApiReply> {
    return this.#methods.get(method.toLowerCase())?.(payload, signal) ?? refusals.noSuchMethod
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
      getMyCommands: () => accepted(this.#commands),
      sendMessage: (payload) => sendMessage(world, payload),
      editMessageText: (payload) => editMessageText(world, payload),
      deleteMessage: (payload) => deleteMessage(world, payload),
      sendChatAction: (payload) => sendChatAction(world, payload),
      close: () => accepted(true),
      logOut: () => accepted(true),
    }
  }

  #getUpdates(payload: Payload, signal: AbortSignal): ApiReply | Promise<ApiReply> {
    if (this.#webhookUrl !== '') return refusals.webhookActive
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
    if (url !== '') this.#updates.endPoll(refusals.webhookSet)
    this.#webhookUrl = url
    return accepted(true)
  }

  #webhookInfo(): WebhookInfo {
    return { url: this.#webhookUrl, has_custom_certificate: false, pending_update_count: this.#updates.pending.length }
  }

  #setMyCommands(payload: Payload): ApiReply {
    const commands = payload['commands']
    if (!Array.isArray(commands)) return badRequest('expected an Array of BotCommand')
    for (const command of commands as Partial<BotCommand>[]) {
      if (!/^[a-z0-9_]{1,32}$/.test(command.command ?? '')) return badRequest('BOT_COMMAND_INVALID')
      if (!command.description || command.description.length > 256) return badRequest('BOT_COMMAND_DESCRIPTION_INVALID')
    }
    this.#commands = commands as BotCommand[]
    return accepted(true)
  }
}
