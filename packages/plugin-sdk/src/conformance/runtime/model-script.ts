import type { JsonObject } from '../../json.js'

/** What the model was sent, in order, without the system prompt; a result of a tool is a message of its own. */
export interface SentMessage {
  readonly role: 'user' | 'assistant' | 'tool'
  /** The words alone; calls are left out. */
  readonly text: string
}

export interface ScriptedCall {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
}

/** What the model does when it is asked: it says the text, then makes the calls. */
export interface ScriptedReply {
  readonly text?: string | undefined
  readonly calls?: readonly ScriptedCall[] | undefined
  /** The model awaits this before its reply ends. It rejects when the signal of the request aborts. */
  readonly wait?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined
  /** In place of a reply, the request fails as with this HTTP status. */
  readonly failure?: { readonly status: number; readonly message: string } | undefined
}

/** What a scripted model plays. Your model calls `next` for every request and does what it is told. */
export interface ModelScript {
  /** Throws behind the last reply: the loop asked more often than it should. */
  next(request: readonly SentMessage[]): ScriptedReply
}

/** A script, with what the model was asked. */
export class RecordedScript implements ModelScript {
  readonly requests: (readonly SentMessage[])[] = []
  readonly #replies: readonly ScriptedReply[]
  readonly #waiting: { readonly count: number; readonly resolve: () => void }[] = []

  constructor(replies: readonly ScriptedReply[]) {
    this.#replies = replies
  }

  next(request: readonly SentMessage[]): ScriptedReply {
    const reply = this.#replies[this.requests.length]
    this.requests.push([...request])
    for (const { count, resolve } of this.#waiting) if (this.requests.length >= count) resolve()
    if (!reply) throw new Error(`The model was asked ${this.requests.length} times, and the script has ${this.#replies.length} replies.`)
    return reply
  }

  /** Resolves when the model was asked so many times. */
  asked(count: number): Promise<void> {
    if (this.requests.length >= count) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push({ count, resolve }))
  }
}

/** A wait that ends when the case says so, or when it is aborted. */
export class Gate {
  readonly #opened: Promise<void>
  #open: () => void = () => undefined

  constructor() {
    this.#opened = new Promise((resolve) => (this.#open = resolve))
  }

  open(): void {
    this.#open()
  }

  readonly wait = (signal: AbortSignal | undefined): Promise<void> => {
    const aborted = new Promise<never>((_resolve, reject) => {
      const fail = (): void => reject(signal?.reason instanceof Error ? signal.reason : new DOMException('The wait was aborted.', 'AbortError'))
      if (signal?.aborted) fail()
      signal?.addEventListener('abort', fail, { once: true })
    })
    return Promise.race([this.#opened, aborted])
  }
}
