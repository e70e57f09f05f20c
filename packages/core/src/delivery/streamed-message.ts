import {
  textLength,
  type Adapter,
  type ChatCapabilities,
  type Logger,
  type MessageStream,
  type RoutedChat,
  type SentOutcome,
} from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import type { OutboxRecord } from '../store/index.js'
import type { AdapterCalls } from './adapter-calls.js'
import type { AdapterOutbox } from './adapter-outbox.js'
import { sizeOf, type TextSize } from './compose-pieces.js'
import type { ConnectedAdapters, LiveMessage, LiveOptions } from './ports.js'
import { StreamSegment, type SegmentStream } from './stream-segment.js'

/** What live messages work with. */
export interface LiveMessagePorts {
  readonly ids: Ids
  readonly logger: Logger
  readonly adapters: ConnectedAdapters
  readonly calls: AdapterCalls
  readonly outbox: AdapterOutbox
  /** Keeps a job in sight until it is done. */
  readonly track: (job: Promise<void>) => void
  readonly onOver: (message: LiveMessage) => void
}

/** One message while it grows, on the stream of its adapter where that becomes the message. */
export class StreamedMessage implements LiveMessage {
  readonly #chat: RoutedChat
  readonly #about: LiveOptions
  readonly #ports: LiveMessagePorts
  #current: StreamSegment | undefined
  /** The end of the segment before. */
  #before: Promise<void> = Promise.resolve()
  #replyTo: string | undefined
  #isOver = false
  #canStream = true

  constructor(chat: RoutedChat, about: LiveOptions, ports: LiveMessagePorts) {
    this.#chat = chat
    this.#about = about
    this.#replyTo = about.replyTo
    this.#ports = ports
  }

  set(text: string): void {
    const capabilities = this.#ports.adapters.capabilities(this.#chat)
    if (this.#isOver || !this.#canStream || !isStreamed(capabilities) || text.trim() === '' || !fits(text, sizeOf(capabilities))) return
    this.#current ??= new StreamSegment({ before: this.#before, open: () => this.#open(), track: this.#ports.track })
    this.#current.set(text)
  }

  segment(): void {
    if (!this.#current) return
    this.#before = this.#current.end()
    this.#current = undefined
  }

  finish(rows: readonly OutboxRecord[]): void {
    if (this.#isOver) return
    this.#isOver = true
    const [first, ...rest] = rows
    const stream = first && rest.length === 0 ? this.#current?.handOver(first.message.text) : undefined
    const after = stream ? undefined : (this.#current?.drop() ?? this.#before)
    for (const row of rows) this.#ports.outbox.take(row, { stream, after })
    this.#ports.onOver(this)
  }

  abandon(): void {
    this.finish([])
  }

  /** Text does not overtake what waits for the chat: nothing is shown before that is gone. */
  #open(): SegmentStream | undefined {
    const { adapters, outbox } = this.#ports
    const adapter = adapters.get(this.#chat.adapter)
    if (!adapter || outbox.waiting(this.#chat) > 0) return undefined
    const opened = this.#openStream(adapter)
    return opened && this.#callsOf(adapter, opened)
  }

  #openStream(adapter: Adapter): MessageStream | undefined {
    const { adapter: name, ...chat } = this.#chat
    try {
      const stream = adapter.stream?.(chat, { replyTo: this.#replyTo })
      this.#replyTo = undefined
      return stream
    } catch (error) {
      this.#canStream = false
      this.#ports.logger.error(
        { adapter: name, turn: this.#about.turn, error },
        `Adapter ${name} threw while it opened a stream; this is its defect.`,
      )
      return undefined
    }
  }

  #callsOf(adapter: Adapter, stream: MessageStream): SegmentStream {
    const { calls, ids, outbox } = this.#ports
    const subject = { adapter: this.#chat.adapter, key: ids.key() }
    return {
      adapter,
      stream,
      update: (text) => outbox.gate.pass(this.#chat, () => calls.make(subject, (call) => stream.update({ text }, call))),
      end: () => outbox.gate.pass(this.#chat, () => calls.make(subject, () => abandon(stream))),
    }
  }
}

/** Where formatting is stripped, a text that grows does not stay what it was. */
function isStreamed({ stream, text }: ChatCapabilities): boolean {
  return stream?.kind === 'message' && text.dialect !== 'plain'
}

/** Looks at the characters only where it must: it is asked for every word of a long text. */
function fits(text: string, { limit, unit }: TextSize): boolean {
  return text.length <= limit || textLength(text, unit) <= limit
}

/** The end of a stream is a call like any other: bounded, and a throw is told as the adapter's defect. */
async function abandon(stream: MessageStream): Promise<SentOutcome> {
  await stream.abandon()
  return { status: 'sent', ids: [] }
}
