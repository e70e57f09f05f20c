import { HermesError, type RoutedChat, type SendOutcome } from '@hermes/plugin-sdk'
import type { NewOutboxRecord, OutboxRecord } from '../store/index.js'
import { AdapterCalls } from './adapter-calls.js'
import { AdapterOutbox } from './adapter-outbox.js'
import { composePieces, sizeOf } from './compose-pieces.js'
import { OutboxWriter } from './outbox-writer.js'
import type { ComposeOptions, Delivery, DeliveryPorts, DeliveryStatus, LiveMessage, LiveOptions } from './ports.js'
import { StreamedMessage } from './streamed-message.js'

const defaultSendTimeoutMs = 60_000
/** How long a stop waits for calls under way. */
const stopBudgetMs = 5000

/** Makes the delivery. It begins nothing by itself: it waits for rows and for connections. */
export function createDelivery(ports: DeliveryPorts): Delivery {
  return new OutboxDelivery(ports)
}

class OutboxDelivery implements Delivery {
  readonly #ports: DeliveryPorts
  readonly #stopping = new AbortController()
  readonly #ending = new AbortController()
  readonly #calls: AdapterCalls
  readonly #writer: OutboxWriter
  readonly #outboxes = new Map<string, AdapterOutbox>()
  readonly #jobs = new Set<Promise<void>>()
  readonly #lives = new Set<LiveMessage>()
  #stopped: Promise<void> | undefined

  constructor(ports: DeliveryPorts) {
    this.#ports = ports
    this.#calls = new AdapterCalls({ clock: ports.clock, logger: ports.logger, timeoutMs: ports.sendTimeoutMs ?? defaultSendTimeoutMs })
    this.#writer = new OutboxWriter({ ...ports, stopping: this.#stopping.signal, ending: this.#ending.signal })
  }

  compose(chat: RoutedChat, text: string, options: ComposeOptions = {}): readonly NewOutboxRecord[] {
    if (text.trim() === '') return []
    const { adapters, clock, ids } = this.#ports
    const { turn, lane, replyTo, format = 'markdown' } = options
    const frame = { chat, turn, lane, dueAt: clock.now(), newKey: () => ids.key() }
    const rows = composePieces({ text, format, replyTo }, sizeOf(adapters.capabilities(chat)), frame)
    if (!this.#outboxOf(chat.adapter).isFree(chat)) return rows
    return rows.map((row, index) => (index === 0 ? { ...row, state: 'attempting' } : row))
  }

  take(rows: readonly OutboxRecord[]): void {
    if (this.#stopping.signal.aborted) return
    for (const row of rows) this.#outboxOf(row.chat.adapter).take(row)
  }

  tell(chat: RoutedChat, text: string, replyTo?: string): Promise<SendOutcome> {
    const told = this.#outboxOf(chat.adapter).gate.pass(chat, () => this.#tellNow(chat, text, replyTo))
    const outcome = told.catch((cause: unknown): SendOutcome => ({ status: 'unknown', detail: 'The house closed during the call.', cause }))
    this.#track(outcome.then(() => undefined))
    return outcome
  }

  live(chat: RoutedChat, about: LiveOptions): LiveMessage {
    const message = new StreamedMessage(chat, about, {
      ...this.#ports,
      calls: this.#calls,
      outbox: this.#outboxOf(chat.adapter),
      track: (job) => this.#track(job),
      onOver: (over) => this.#lives.delete(over),
    })
    this.#lives.add(message)
    return message
  }

  async connected(adapter: string): Promise<void> {
    if (!this.#stopping.signal.aborted) await this.#outboxOf(adapter).connected()
  }

  status(): DeliveryStatus {
    const all = [...this.#outboxes.values()].map((outbox) => outbox.status)
    const sum = (count: (each: DeliveryStatus) => number): number => all.reduce((total, each) => total + count(each), 0)
    return {
      waiting: sum((each) => each.waiting),
      hasMore: all.some((each) => each.hasMore),
      sent: sum((each) => each.sent),
      dropped: sum((each) => each.dropped),
      held: sum((each) => each.held),
    }
  }

  waiting(chat: RoutedChat): number {
    return this.#outboxes.get(chat.adapter)?.waiting(chat) ?? 0
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #tellNow(routed: RoutedChat, text: string, replyTo: string | undefined): Promise<SendOutcome> {
    const { adapters, ids } = this.#ports
    const { adapter: name, ...chat } = routed
    const adapter = this.#stopping.signal.aborted ? undefined : adapters.get(name)
    if (!adapter) return { status: 'rejected', reason: 'unavailable', detail: 'The adapter is not connected.' }
    return this.#calls.make({ adapter: name, key: ids.key() }, (call) => adapter.send(chat, { text, format: 'plain', replyTo }, call))
  }

  async #stop(): Promise<void> {
    const reason = new HermesError('stopped', 'The delivery has stopped.', { what: 'delivery' })
    for (const message of this.#lives) message.abandon()
    for (const outbox of this.#outboxes.values()) outbox.abandonStreams()
    this.#stopping.abort(reason)
    const jobsDone = this.#jobsDone()
    const budget = new AbortController()
    await Promise.race([jobsDone, this.#ports.clock.sleep(stopBudgetMs, budget.signal)])
    budget.abort()
    this.#ending.abort(reason)
    this.#calls.abortAll(reason)
    await jobsDone
  }

  /** A job under way may begin another. */
  async #jobsDone(): Promise<void> {
    while (this.#jobs.size > 0) await Promise.all(this.#jobs)
  }

  #track(job: Promise<void>): void {
    this.#jobs.add(job)
    void job.finally(() => this.#jobs.delete(job))
  }

  #outboxOf(name: string): AdapterOutbox {
    const known = this.#outboxes.get(name)
    if (known) return known
    const outbox = new AdapterOutbox(name, {
      ...this.#ports,
      onUnknown: this.#ports.onUnknown ?? 'repeat-marked',
      writer: this.#writer,
      calls: this.#calls,
      stopping: this.#stopping.signal,
      track: (job) => this.#track(job),
    })
    this.#outboxes.set(name, outbox)
    return outbox
  }
}
