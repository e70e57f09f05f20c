import type { RoutedChat } from '@hermes/plugin-sdk'
import type { OutboxRecord } from '../store/index.js'
import { CallGate } from './call-gate.js'
import { chatKeyOf } from './chat-key.js'
import { ChatQueue } from './chat-queue.js'
import { ConnectionWatch } from './connection-watch.js'
import { OutboxPager } from './outbox-pager.js'
import { PieceCourier, type CourierPorts } from './piece-courier.js'
import type { DeliveryStatus } from './ports.js'
import type { QueuedPiece } from './queued-piece.js'

/** Bounds of one adapter instance. What memory does not take stays in the store. */
const limits = { piecesInMemory: 1000, concurrentCalls: 64 }

/** What the outbox of an instance works with. */
export type AdapterOutboxPorts = Omit<CourierPorts, 'watch' | 'gate' | 'onSettled'> & {
  /** Keeps a job in sight until it is done. */
  readonly track: (job: Promise<void>) => void
}

/** The outbox of one adapter instance: a queue for each chat that has something to show, all of them served side by side. */
export class AdapterOutbox {
  readonly #name: string
  readonly #ports: AdapterOutboxPorts
  readonly #queues = new Map<string, ChatQueue>()
  readonly #keys = new Set<string>()
  readonly #watch: ConnectionWatch
  readonly #pager: OutboxPager
  readonly #courier: PieceCourier
  readonly #ended = { sent: 0, dropped: 0, held: 0 }
  /** Whoever makes calls in a chat of this instance makes them here. */
  readonly gate = new CallGate(limits.concurrentCalls)

  constructor(name: string, ports: AdapterOutboxPorts) {
    this.#name = name
    this.#ports = ports
    this.#watch = new ConnectionWatch(ports)
    this.#courier = new PieceCourier({ ...ports, watch: this.#watch, gate: this.gate, onSettled: (state) => void this.#ended[state]++ })
    this.#pager = new OutboxPager({
      read: (after, limit) => ports.writer.read(name, after, limit),
      room: () => limits.piecesInMemory - this.#keys.size,
      accept: (row) => this.#accept(row),
    })
  }

  get status(): DeliveryStatus {
    return { waiting: this.#keys.size, hasMore: this.#pager.isBehind, ...this.#ended }
  }

  waiting(chat: RoutedChat): number {
    return this.#queues.get(chatKeyOf(chat))?.size ?? 0
  }

  /** Would a row of this chat be sent at once? Then it may be stored as `attempting`. */
  isFree(chat: RoutedChat): boolean {
    const isConnected = this.#ports.adapters.get(this.#name) !== undefined
    return isConnected && !this.#ports.stopping.aborted && this.#pager.hasRecovered && !this.#pager.isBehind && this.waiting(chat) === 0
  }

  /** Takes a stored row. One that this life marked already is always kept: its call must follow. */
  take(row: OutboxRecord, live: Pick<QueuedPiece, 'stream' | 'after'> = {}): void {
    if (this.#keys.has(row.key)) return
    const isMarked = row.state === 'attempting'
    const hasPlace = !this.#pager.isBehind && this.#keys.size < limits.piecesInMemory
    if (isMarked || live.stream !== undefined || hasPlace) this.#enqueue({ ...live, row, start: isMarked ? 'marked' : 'pending' })
    else this.#pager.leave(row)
  }

  /** Resolves when what waits in the store is loaded, or as much of it as memory takes. */
  async connected(): Promise<void> {
    this.#watch.connected()
    await this.#fill()
  }

  abandonStreams(): void {
    for (const queue of this.#queues.values()) queue.abandonStreams()
  }

  /** A row that is `attempting` is of an earlier life, unless all of those are known: then it is about to be taken. */
  #accept(row: OutboxRecord): void {
    if (this.#keys.has(row.key)) return
    if (row.state === 'pending') this.#enqueue({ row, start: 'pending' })
    else if (!this.#pager.hasRecovered) this.#enqueue({ row, start: 'interrupted' })
  }

  #enqueue(piece: QueuedPiece): void {
    const key = chatKeyOf(piece.row.chat)
    const queue = this.#queues.get(key) ?? new ChatQueue()
    this.#keys.add(piece.row.key)
    queue.add(piece)
    if (this.#queues.has(key)) return
    this.#queues.set(key, queue)
    this.#ports.track(this.#serve(key, queue))
  }

  async #serve(chatKey: string, queue: ChatQueue): Promise<void> {
    const { logger, stopping } = this.#ports
    try {
      for (let piece = queue.first; piece && !stopping.aborted; piece = queue.first) {
        this.#replace(piece, await this.#courier.deliver(piece), queue)
        this.#fillSoon()
      }
      // A queue that is not empty stays: what comes later must not overtake what waits in it.
      if (queue.size === 0) this.#queues.delete(chatKey)
    } catch (error) {
      if (stopping.aborted) return
      const fields = { adapter: this.#name, waiting: queue.size, error }
      logger.error(fields, 'The outbox of a chat cannot go on: what waits for it stays in the store until the next start.')
    }
  }

  #replace(piece: QueuedPiece, successors: readonly QueuedPiece[], queue: ChatQueue): void {
    const chatKey = chatKeyOf(piece.row.chat)
    const isHere = ({ row }: QueuedPiece): boolean => chatKeyOf(row.chat) === chatKey
    this.#keys.delete(piece.row.key)
    for (const { row } of successors) this.#keys.add(row.key)
    queue.replaceFirst(successors.filter(isHere))
    for (const moved of successors.filter((each) => !isHere(each))) this.#enqueue(moved)
  }

  #fillSoon(): void {
    const isWorthIt = this.#pager.isBehind && this.#keys.size <= limits.piecesInMemory / 2
    if (isWorthIt && this.#watch.count > 0 && !this.#ports.stopping.aborted) this.#ports.track(this.#fill())
  }

  async #fill(): Promise<void> {
    try {
      await this.#pager.fill()
    } catch (error) {
      if (this.#ports.stopping.aborted) return
      this.#ports.logger.error({ adapter: this.#name, error }, 'The outbox cannot be read; what waits in it stays there until the next connection.')
    }
  }
}
