import { textLength, type Adapter, type ChatCapabilities, type Logger, type MessageStream, type RoutedChat } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import type { OutboxRecord } from '../store/index.js'
import type { AdapterCalls } from './adapter-calls.js'
import type { AdapterOutbox } from './adapter-outbox.js'
import { sizeOf } from './compose-pieces.js'
import type { ConnectedAdapters, LiveMessage, LiveOptions } from './ports.js'
import type { OpenStream } from './queued-piece.js'
import { StreamSegment } from './stream-segment.js'

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

interface ShownSegment {
  readonly segment: StreamSegment
  readonly stream: OpenStream
}

/** One message while it grows, on the stream of its adapter where that becomes the message. */
export class StreamedMessage implements LiveMessage {
  readonly #chat: RoutedChat
  readonly #about: LiveOptions
  readonly #ports: LiveMessagePorts
  #shown: ShownSegment | undefined
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
    if (this.#isOver || text.trim() === '') return
    const capabilities = this.#ports.adapters.capabilities(this.#chat)
    const { limit, unit } = sizeOf(capabilities)
    if (textLength(text, unit) > limit) return
    this.#shown ??= this.#open(capabilities)
    this.#shown?.segment.set(text)
  }

  segment(): void {
    this.#shown?.segment.end()
    this.#shown = undefined
  }

  finish(rows: readonly OutboxRecord[]): void {
    if (this.#isOver) return
    this.#isOver = true
    const shown = this.#shown
    const [first, ...rest] = rows
    const stream = first && rest.length === 0 && shown?.segment.becomes(first.message.text) ? shown.stream : undefined
    if (!stream) shown?.segment.drop()
    for (const row of rows) this.#ports.outbox.take(row, stream)
    this.#ports.onOver(this)
  }

  abandon(): void {
    this.finish([])
  }

  /** Text does not overtake what waits for the chat, so nothing is shown before that is gone. */
  #open(capabilities: ChatCapabilities): ShownSegment | undefined {
    const { adapters, outbox } = this.#ports
    const adapter = adapters.get(this.#chat.adapter)
    const streams = capabilities.stream?.kind === 'message' && capabilities.text.dialect !== 'plain'
    if (!this.#canStream || !streams || !adapter?.stream || outbox.waiting(this.#chat) > 0) return undefined
    const stream = this.#openStream(adapter)
    return stream && this.#segmentOf(adapter, stream)
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

  #segmentOf(adapter: Adapter, stream: MessageStream): ShownSegment {
    const { calls, ids, outbox, track } = this.#ports
    const subject = { adapter: this.#chat.adapter, key: ids.key() }
    const segment = new StreamSegment({
      track,
      update: (text) => outbox.gate.pass(this.#chat, () => calls.make(subject, (call) => stream.update({ text }, call))),
      abandon: () => outbox.gate.pass(this.#chat, () => calls.make(subject, () => abandoned(stream))),
    })
    return { segment, stream: { adapter, stream, abandon: () => segment.drop() } }
  }
}

/** The end of a stream is a call like any other: it is bounded, and a throw is told as the adapter's defect. */
async function abandoned(stream: MessageStream) {
  await stream.abandon()
  return { status: 'sent', ids: [] } as const
}
