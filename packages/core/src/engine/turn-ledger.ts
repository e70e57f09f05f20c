import { HermesError, type AgentEvent, type Clock, type Message, type New, type TurnOutcome, type TurnRef } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import type { TurnFact } from '../store/index.js'
import type { EventLog } from './event-log.js'
import { ReadingOrder } from './transcript.js'
import type { TurnJournal } from './turn-journal.js'

/** Facts that belong together, and the events that show them. */
export interface LedgerEntry {
  readonly facts: readonly TurnFact[]
  readonly events: readonly AgentEvent[]
}

/** What a turn has written. The transcript and the events grow only by what the journal took, one write at a time. */
export class TurnLedger {
  readonly #order: ReadingOrder
  readonly #turn: TurnRef
  readonly #journal: TurnJournal
  readonly #events: EventLog
  readonly #clock: Clock
  readonly #ids: Ids
  #opening: LedgerEntry
  #writing: Promise<unknown> = Promise.resolve()
  #isSealed = false

  constructor(parts: {
    readonly turn: TurnRef
    readonly stored: readonly Message[]
    /** What the turn answers: it is read from the start, written and shown with the first facts. */
    readonly opening: readonly Message[]
    readonly journal: TurnJournal
    readonly events: EventLog
    readonly clock: Clock
    readonly ids: Ids
  }) {
    this.#turn = parts.turn
    this.#order = new ReadingOrder([...parts.stored, ...parts.opening])
    this.#opening = entryOf(parts.opening)
    this.#journal = parts.journal
    this.#events = parts.events
    this.#clock = parts.clock
    this.#ids = parts.ids
  }

  /** In the order in which the model reads them; live. */
  get messages(): readonly Message[] {
    return this.#order.messages
  }

  /** What is known of the order: which calls were asked for, and what a summary may cover. */
  get order(): Pick<ReadingOrder, 'hasCall' | 'rangeOf'> {
    return this.#order
  }

  /** Makes a record of a message: id, turn, time. It is not written yet. */
  stamp<M extends New<Message>>(message: M): M & Pick<Message, 'id' | 'turn' | 'at'> {
    return { ...message, id: this.#ids.next('message') as Message['id'], turn: this.#turn.id, at: this.#clock.now() }
  }

  /** One more message that the turn answers, while nothing is written yet. */
  addOpening(message: Message): void {
    const { facts, events } = entryOf([message])
    this.#opening = { facts: [...this.#opening.facts, ...facts], events: [...this.#opening.events, ...events] }
    this.#order.add(message)
  }

  /** Writes, then shows. Rejects with what the journal says, and with `turn.closed` after `seal`. */
  commit(entry: LedgerEntry): Promise<void> {
    return this.#isSealed ? Promise.reject(this.#closed()) : this.#write(entry, (facts) => this.#journal.commit(facts))
  }

  /** From now on only `end` and `park` write. */
  seal(): void {
    this.#isSealed = true
  }

  /** Writes the last facts of a life whose turn goes on in another one. */
  park(entry: LedgerEntry): Promise<void> {
    return this.#write(entry, (facts) => this.#journal.commit(facts))
  }

  /** Writes the last facts with the outcome. */
  end(outcome: TurnOutcome, entry: LedgerEntry): Promise<void> {
    return this.#write(entry, (facts) => this.#journal.end(outcome, facts))
  }

  /** Resolves when nothing is being written. */
  async idle(): Promise<void> {
    await this.#writing
  }

  #write(entry: LedgerEntry, take: (facts: readonly TurnFact[]) => Promise<void>): Promise<void> {
    const written = this.#writing.then(async () => {
      const opening = this.#opening
      await take([...opening.facts, ...entry.facts])
      this.#opening = entryOf([])
      for (const fact of entry.facts) if (fact.kind === 'message') this.#order.add(fact.message)
      for (const event of [...opening.events, ...entry.events]) this.#events.push(event)
    })
    this.#writing = written.catch(() => undefined)
    return written
  }

  #closed(): HermesError {
    const { id, lane, epoch } = this.#turn
    return new HermesError('turn.closed', `Turn ${id} is over: nothing more can be written to it.`, { lane, epoch })
  }
}

function entryOf(opening: readonly Message[]): LedgerEntry {
  return { facts: opening.map((message) => ({ kind: 'message', message })), events: opening.map((message) => ({ type: 'message-add', message })) }
}
