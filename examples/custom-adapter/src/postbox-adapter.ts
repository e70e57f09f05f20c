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
import { z } from 'zod'
import { toFailure, toOutcome } from './failures.js'
import type { PostboxOptions } from './options.js'
import { PostboxClient } from './postbox-client.js'
import { PostboxPoller } from './postbox-poller.js'

const capabilities: ChatCapabilities = { text: { limit: 2000, unit: 'utf16', dialect: 'plain' } }

const identity = z.object({ newest: z.int() })
const accepted = z.object({ number: z.int() })

interface Connection {
  readonly client: PostboxClient
  readonly end: AbortController
  /** Set when events flow. */
  polling?: Promise<void>
}

/** One object, one connection: the core makes a new one for every attempt. */
export class PostboxAdapter implements Adapter<'postbox'> {
  readonly platform = 'postbox'
  /** Three polls without an answer. */
  readonly stallAfterMs = 60_000
  readonly #options: PostboxOptions
  #connection: Connection | undefined

  constructor(options: PostboxOptions) {
    this.#options = options
  }

  async connect(context: AdapterContext<'postbox'>): Promise<void> {
    const client = new PostboxClient(this.#options.url, this.#options.token)
    const connection: Connection = { client, end: new AbortController() }
    this.#connection = connection
    const signal = AbortSignal.any([context.signal, connection.end.signal])
    try {
      const { newest } = identity.parse(await client.call('/me', { signal }))
      await context.wireNative(client)
      signal.throwIfAborted()
      // Only a first boot leaves out what was said before: after an outage it is what people wait for.
      connection.polling = new PostboxPoller({ client, context, signal, after: context.isReconnect ? 0 : newest }).run()
    } catch (error) {
      throw adapterError(toFailure(error))
    }
  }

  async disconnect(hurry: AbortSignal): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    connection?.end.abort()
    if (connection?.polling) await Promise.race([connection.polling, aborted(hurry)])
  }

  capabilities(): ChatCapabilities {
    return capabilities
  }

  async send(chat: ChatAddress, { text, replyTo }: OutboundMessage, call: Call): Promise<SendOutcome> {
    const connection = this.#connection
    if (!connection?.polling) return { status: 'rejected', reason: 'unavailable', detail: 'The postbox is not connected.' }
    try {
      // An `@all` of a model would ring at everybody.
      const body = { chat: chat.chatId, text, replyTo, rings: false }
      const answer = await connection.client.call('/messages', { body, signal: AbortSignal.any([call.signal, connection.end.signal]) })
      return { status: 'sent', ids: [String(accepted.parse(answer).number)] }
    } catch (error) {
      return toOutcome(error)
    }
  }
}

/** Resolves when the signal aborts: a receipt that never comes must not keep the poller, and so the end, waiting. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
