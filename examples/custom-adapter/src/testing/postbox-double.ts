import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import type { ChatAddress } from '@hermes/plugin-sdk'
import type { DoubledOperation, FaultKind, PlatformDouble, Saying, ShownText } from '@hermes/plugin-sdk/conformance'

interface Said {
  readonly number: number
  readonly chat: string
  readonly text: string
  readonly isBot: boolean
  /** `@all` in it rang at everybody. */
  readonly rings: boolean
  readonly at: number
  /** Absent: the postbox does not tell. */
  readonly sender?: string | undefined
}

interface Fault {
  readonly kind: FaultKind
  readonly retryAfterMs: number
}

/** What the platform says for each fault that is a refusal. */
const refusals: { readonly [kind in FaultKind]?: readonly [status: number, word: string] } = {
  'bad-token': [401, 'bad-token'],
  'rate-limit': [429, 'slow-down'],
  'too-long': [400, 'too-long'],
  'message-gone': [404, 'no-such-message'],
  'chat-gone': [404, 'no-such-chat'],
  forbidden: [403, 'not-allowed'],
}

const textLimit = 2000
/** Messages of one answer, at most. */
const pageSize = 100
const chatOf = (kind: 'dm' | 'group'): ChatAddress => ({ platform: 'postbox', kind, chatId: `${kind}-1` })

/** A postbox on this machine: the real wire for the adapter, and people and faults by script. */
export class PostboxDouble implements PlatformDouble {
  readonly chats = { dm: chatOf('dm'), group: chatOf('group') }
  readonly token = 'planted-token'
  readonly #server = createServer((request, response) => void this.#serve(request, response).catch(() => response.destroy()))
  readonly #sockets = new Set<Socket>()
  readonly #faults = new Map<DoubledOperation, Fault[]>()
  readonly #said: Said[] = []
  readonly #waiting = new Set<() => void>()
  #acknowledged = 0
  #isFrozen = false

  static async start(): Promise<PostboxDouble> {
    const double = new PostboxDouble()
    double.#server.on('connection', (socket: Socket) => {
      double.#sockets.add(socket)
      socket.once('close', () => double.#sockets.delete(socket))
    })
    double.#server.listen(0, '127.0.0.1')
    await once(double.#server, 'listening')
    return double
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  say({ chatId }: ChatAddress, text: string, { from = 'person-1', file, mentionsUs }: Saying = {}): string {
    if (file) throw new Error('a postbox takes no files')
    const words = mentionsUs ? `@bot ${text}` : text
    const number = this.#add({ chat: chatId, text: words, isBot: false, rings: false, ...(from !== null && { sender: from }) })
    for (const wake of this.#waiting) wake()
    return String(number)
  }

  isAcknowledged(id: string): boolean {
    return Number(id) <= this.#acknowledged
  }

  shown({ chatId }: ChatAddress): readonly ShownText[] {
    const shown = this.#said.filter(({ chat, isBot }) => isBot && chat === chatId)
    return shown.map(({ number, text, rings }) => ({ id: String(number), text, pings: rings && text.includes('@all') ? ['all'] : [] }))
  }

  async fault(operation: DoubledOperation, kind: FaultKind, { retryAfterMs = 0 } = {}): Promise<void> {
    if (kind === 'refuse-connection') return this.stop()
    this.#faults.set(operation, [...(this.#faults.get(operation) ?? []), { kind, retryAfterMs }])
  }

  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  freeze(): void {
    this.#isFrozen = true
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cut()
    await closed
  }

  #add(said: Omit<Said, 'number' | 'at'>): number {
    const number = this.#said.length + 1
    this.#said.push({ ...said, number, at: Date.now() })
    return number
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url)
    const operation = url.pathname === '/me' ? 'connect' : request.method === 'POST' ? 'send' : 'receive'
    const body = await readText(request)
    const fault = this.#faults.get(operation)?.shift()
    if (this.#isFrozen || fault?.kind === 'hang') return
    if (fault?.kind === 'drop-before') return void request.socket.resetAndDestroy()
    const refusal = request.headers.authorization === `Bearer ${this.token}` ? fault && refusals[fault.kind] : refusals['bad-token']
    if (refusal) return refuse(response, refusal, fault?.retryAfterMs)
    const answer = await this.#answer(operation, { url, body, response })
    if (this.#isFrozen) return
    if (fault?.kind === 'drop-after') return void request.socket.resetAndDestroy()
    if (fault?.kind === 'error-after') return refuse(response, [502, 'sick'])
    if (fault?.kind === 'garbage') return void response.end('<html>It works!</html>')
    if (Array.isArray(answer)) return refuse(response, answer as [number, string])
    response.end(JSON.stringify(answer))
  }

  async #answer(operation: DoubledOperation, { url, body, response }: { url: URL; body: string; response: ServerResponse }): Promise<unknown> {
    if (operation === 'connect') return { name: 'bot', newest: this.#said.length }
    if (operation === 'receive') return this.#news(url, response)
    const { chat, text, rings = true } = JSON.parse(body) as { chat: string; text: string; rings?: boolean }
    return text.length > textLimit ? refusals['too-long'] : { number: this.#add({ chat, text, rings, isBot: true, sender: 'bot' }) }
  }

  /** What people said and nobody acknowledged, a page of it; waits for it as long as the client asks to. */
  async #news(url: URL, response: ServerResponse): Promise<{ messages: readonly Said[] }> {
    this.#acknowledged = Math.max(this.#acknowledged, Number(url.searchParams.get('after')))
    const news = (): Said[] => this.#said.filter(({ number, isBot }) => !isBot && number > this.#acknowledged)
    if (news().length === 0) await this.#untilSaid(Number(url.searchParams.get('wait')) * 1000, response)
    return { messages: news().slice(0, pageSize) }
  }

  #untilSaid(ms: number, response: ServerResponse): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#waiting.add(wake)
      response.once('close', wake)
    })
  }
}

function refuse(response: ServerResponse, [status, word]: readonly [number, string], retryAfterMs = 0): void {
  response.writeHead(status, { 'retry-after': String(retryAfterMs / 1000) }).end(JSON.stringify({ error: word }))
}
