import {
  decodeChoice,
  type Adapter,
  type AdapterContext,
  type ChatAddress,
  type ChatCapabilities,
  type InboundEvent,
  type OutboundMessage,
  type SendOutcome,
} from '@hermes/plugin-sdk'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { EventEmitter } from 'node:events'

/** What a platform on paper tells of. */
export interface PaperUpdate {
  readonly kind: 'message' | 'edit' | 'removal' | 'reaction' | 'press' | 'command'
  readonly number: number
  readonly at: number
  readonly chat: string
  readonly who: string | null
  readonly about: string
  readonly text: string
  readonly isBack?: boolean | undefined
}

/** What an adapter needs of the platform. */
export interface PaperDesk {
  /** Gives back how to end it. */
  subscribe(listener: (update: PaperUpdate) => void): () => void
  show(chat: string, text: string, rings: boolean): string
}

const capabilities: ChatCapabilities = { text: { limit: 4_000, unit: 'utf16', dialect: 'plain' } }
const toleranceMs = 5 * 60_000
const bodyLimitBytes = 1024 * 1024

export function paperAddress(chatId: string): ChatAddress {
  return { platform: 'paper', kind: chatId === 'dm' ? 'dm' : 'group', chatId }
}

export function signatureOf(secret: string, at: number, body: string): string {
  return createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
}

/** An adapter without a wire that has all that a platform may have, and keeps what it promises. */
export class PaperAdapter implements Adapter<'paper'> {
  readonly platform = 'paper'
  readonly #desk: PaperDesk
  readonly #secret: string
  readonly #native = new EventEmitter()
  #context: AdapterContext<'paper'> | undefined
  #end: () => void = () => {}

  constructor(desk: PaperDesk, secret: string) {
    this.#desk = desk
    this.#secret = secret
  }

  async connect(context: AdapterContext<'paper'>): Promise<void> {
    await context.wireNative(this.#native)
    this.#context = context
    this.#end = this.#desk.subscribe((update) => void this.#receive(update).catch(() => undefined))
  }

  async disconnect(): Promise<void> {
    this.#end()
    this.#context = undefined
  }

  capabilities(): ChatCapabilities {
    return capabilities
  }

  async send({ chatId }: ChatAddress, { text }: OutboundMessage): Promise<SendOutcome> {
    if (!this.#context) return { status: 'rejected', reason: 'unavailable', detail: 'not connected' }
    return { status: 'sent', ids: [this.#desk.show(chatId, text, false)] }
  }

  async handleRequest(request: Request): Promise<Response> {
    const body = await readBody(request)
    if (body === undefined) return new Response(null, { status: 413 })
    if (!this.#context) return new Response(null, { status: 503 })
    const at = Number(request.headers.get('x-paper-at'))
    const signature = Buffer.from(request.headers.get('x-paper-signature') ?? '')
    const expected = Buffer.from(signatureOf(this.#secret, at, body))
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return new Response(null, { status: 401 })
    if (Math.abs(this.#context.clock.now() - at) > toleranceMs) return new Response(null, { status: 401 })
    const update = parse(body)
    if (!update) return new Response(null, { status: 400 })
    return this.#receive(update).then(
      () => new Response(null, { status: 200 }),
      () => new Response(null, { status: 503 }),
    )
  }

  async #receive(update: PaperUpdate): Promise<void> {
    const event = toEvent(update)
    if (event) await this.#context?.receive(event)
    try {
      this.#native.emit('update', update)
    } catch {
      // A handler of a plugin.
    }
  }
}

function toEvent({ kind, number, at, chat: chatId, who, about, text, isBack = false }: PaperUpdate): InboundEvent | undefined {
  if (who === null) return undefined
  const author = { id: who, isBot: false }
  const frame = { id: `update:${number}`, at, chat: paperAddress(chatId), author }
  if (kind === 'edit') return { kind, ...frame, messageId: about, text }
  if (kind === 'removal') return { kind: 'delete', ...frame, messageIds: [about] }
  if (kind === 'reaction') return { kind, ...frame, messageId: about, emoji: text, isRemoved: isBack }
  if (kind === 'command') return { kind, ...frame, name: about, args: text }
  if (kind === 'press') {
    const choice = decodeChoice(text)
    return choice && { kind: 'choice', ...frame, ...choice, messageId: about }
  }
  const mention = /^@us /
  const mentions = chatId === 'dm' || mention.test(text) ? 'us' : 'none'
  return { kind, ...frame, messageId: about, text: text.replace(mention, ''), mentions }
}

function parse(body: string): PaperUpdate | undefined {
  try {
    return JSON.parse(body) as PaperUpdate
  } catch {
    return undefined
  }
}

/** `undefined`: it is too long. */
async function readBody(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > bodyLimitBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
