import { HermesError, type Clock, type InboundEvent, type Logger, type Receipt } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import type { InboxRecord, NewInboxRecord, StateStore, StoreCommands } from '../store/index.js'
import { checkInboundEvent } from './inbound-schema.js'

/** Events of one commit: enough to amortise it, few enough for a short one. */
const batchLimit = 128
/** Told to an adapter whose event could not be stored. */
const retryAfterMs = 1000

/** From which connection an event comes. */
export interface InboundSource {
  /** Instance name. */
  readonly adapter: string
  /** The bot account: event ids are unique for it. */
  readonly account: string
}

/** What the intake needs of the house. */
export interface IntakePorts {
  readonly store: StateStore
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Rows that may be stored and not taken up by a turn yet; beyond that `receive` waits. */
  readonly capacity: number
  /** Aborts when the house closes: then nobody waits for room any more. */
  readonly signal: AbortSignal
  /** Can something come of this event? Where not, it is acknowledged and not stored. */
  admit(adapter: string, event: InboundEvent): boolean
  /** An admitted event was not stored: it was known already, or the store took nothing. */
  onNotStored(adapter: string, event: InboundEvent): void
  /** Adds the lane to each event of a batch that can be put there at once. The batch is stored before the next one of its source. */
  plan(adapter: string, events: readonly InboundEvent[]): readonly NewInboxRecord[]
  /** Hears of every new row, in order, before its receipt is given; `conversation`: it waits in that lane already. Must not throw. */
  onStored(row: InboxRecord, conversation: string | undefined): void
}

/** The door through which every event comes in. */
export interface Intake {
  /**
   * Resolves once the event is durable, known, or certainly unwanted (not admitted, or of a wrong shape: said in the log). Rejects with
   * `inbox.unavailable` when nothing was stored; everything of that source that waits behind it rejects as well.
   */
  receive(source: InboundSource, event: InboundEvent): Promise<Receipt>
  /** So many rows were stored by others. */
  hold(rows: number): void
  /** So many rows were taken up or settled: there is room for others. */
  release(rows: number): void
}

interface Waiting {
  readonly event: InboundEvent
  resolve(receipt: Receipt): void
  reject(error: HermesError): void
}

/** Makes the intake. One commit is under way per source, so that a failed one cannot turn the order of events round. */
export function createIntake(ports: IntakePorts): Intake {
  const queues = new Map<string, SourceQueue>()
  const room = new Room(ports.capacity, ports.signal)
  return {
    receive(source, event) {
      const checked = checkInboundEvent(event)
      if ('issues' in checked) {
        ports.logger.error({ adapter: source.adapter, issues: checked.issues }, 'An adapter handed in an event of a wrong shape; it was dropped.')
        return Promise.resolve('ignored')
      }
      if (!ports.admit(source.adapter, checked.event)) return Promise.resolve('ignored')
      const name = JSON.stringify([source.adapter, source.account])
      let queue = queues.get(name)
      if (!queue) queues.set(name, (queue = new SourceQueue(source, ports, room)))
      return queue.add(checked.event)
    },
    hold: (rows) => room.take(rows),
    release: (rows) => room.release(rows),
  }
}

/** Counts the rows that are stored and not taken up; whoever waits for room is told when there is some, or when the house closes. */
class Room {
  readonly #capacity: number
  readonly #closing: AbortSignal
  #used = 0
  #waiters: (() => void)[] = []

  constructor(capacity: number, closing: AbortSignal) {
    this.#capacity = capacity
    this.#closing = closing
    closing.addEventListener('abort', () => this.#wake(), { once: true })
  }

  take(rows: number): void {
    this.#used += rows
  }

  release(rows: number): void {
    this.#used = Math.max(0, this.#used - rows)
    if (this.#used < this.#capacity) this.#wake()
  }

  /** Rejects when the house closes before there is room. */
  async available(): Promise<void> {
    while (this.#used >= this.#capacity) {
      this.#closing.throwIfAborted()
      await new Promise<void>((resolve) => this.#waiters.push(resolve))
    }
  }

  #wake(): void {
    for (const wake of this.#waiters.splice(0)) wake()
  }
}

class SourceQueue {
  readonly #source: InboundSource
  readonly #ports: IntakePorts
  readonly #room: Room
  readonly #waiting: Waiting[] = []
  #isFlushing = false

  constructor(source: InboundSource, ports: IntakePorts, room: Room) {
    this.#source = source
    this.#ports = ports
    this.#room = room
  }

  add(event: InboundEvent): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ event, resolve, reject })
      if (this.#isFlushing) return
      this.#isFlushing = true
      // What arrives in the same tick shares the commit.
      queueMicrotask(() => void this.#flush())
    })
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      let batch: readonly Waiting[] = []
      try {
        await this.#room.available()
        batch = this.#waiting.splice(0, batchLimit)
        await this.#store(batch)
      } catch (cause) {
        this.#refuse([...batch, ...this.#waiting.splice(0)], cause)
      }
    }
    this.#isFlushing = false
  }

  async #store(batch: readonly Waiting[]): Promise<void> {
    const { adapter, account } = this.#source
    const at = this.#ports.clock.now()
    const events = this.#ports.plan(
      adapter,
      batch.map((waiting) => waiting.event),
    )
    const receipts = await this.#receive({ adapter, account, events, at })
    receipts.forEach((entry, index) => {
      const waiting = batch[index]
      if (!waiting) return
      if (entry.receipt === 'stored') {
        this.#room.take(1)
        this.#ports.onStored({ seq: entry.seq, adapter, event: waiting.event, receivedAt: at }, entry.conversation)
      } else this.#ports.onNotStored(adapter, waiting.event)
      waiting.resolve(entry.receipt)
    })
  }

  /** Where nobody knows whether the rows were stored, the command is sent again: as a duplicate an event would go no further. */
  async #receive(args: StoreCommands['inbox.receive']['args']): Promise<StoreCommands['inbox.receive']['result']> {
    const { store, clock, ids, signal } = this.#ports
    for (const id = ids.next('command'); ; await clock.sleep(retryAfterMs, signal)) {
      try {
        return await store.execute('inbox.receive', args, { id })
      } catch (error) {
        if (!HermesError.is(error, 'store.unsettled')) throw error
      }
    }
  }

  #refuse(refused: readonly Waiting[], cause: unknown): void {
    const { adapter } = this.#source
    this.#ports.logger.error(
      { adapter, events: refused.length, error: cause },
      'Events could not be stored; the platform is asked to deliver them again.',
    )
    for (const waiting of refused) {
      this.#ports.onNotStored(adapter, waiting.event)
      waiting.reject(new HermesError('inbox.unavailable', `The inbox could not store an event of ${adapter}.`, { retryAfterMs }, { cause }))
    }
  }
}
