import { textLength, type Adapter, type Clock, type Logger, type SendOutcome } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import type { OutboxRecord } from '../store/index.js'
import type { AdapterCalls } from './adapter-calls.js'
import type { CallGate } from './call-gate.js'
import { sizeOf, splitPiece } from './compose-pieces.js'
import type { ConnectionWatch } from './connection-watch.js'
import { reportOutcome } from './delivery-report.js'
import { nextStep, type NextStep } from './outcome-policy.js'
import type { OutboxWriter } from './outbox-writer.js'
import { toPlain } from './plain-message.js'
import type { ConnectedAdapters, DeliveryPorts, UnknownRule } from './ports.js'
import { isDue, type OpenStream, type Patience, type QueuedPiece } from './queued-piece.js'

/** What the courier of an instance works with. */
export interface CourierPorts {
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly adapters: ConnectedAdapters
  readonly onUnknown: UnknownRule
  readonly writer: OutboxWriter
  readonly calls: AdapterCalls
  readonly stopping: AbortSignal
  readonly watch: ConnectionWatch
  readonly gate: CallGate
  readonly onOutcome: DeliveryPorts['onOutcome']
  readonly onSettled: (state: 'sent' | 'dropped' | 'held') => void
}

const interruptedCall: SendOutcome = { status: 'unknown', detail: 'The process ended while the call was under way.' }
const notConnected: SendOutcome = { status: 'rejected', reason: 'unavailable', detail: 'The adapter is not connected.' }
const houseCloses: SendOutcome = { status: 'rejected', reason: 'unavailable', detail: 'The house closed before the call.' }
const streamLost: SendOutcome = { status: 'rejected', reason: 'expired', detail: 'The connection of the stream is gone.' }
const longerThanLimit: SendOutcome = { status: 'rejected', reason: 'too-long', detail: 'The text is longer than the limit of its chat.' }

/** Brings one piece one step further. */
export class PieceCourier {
  readonly #ports: CourierPorts

  constructor(ports: CourierPorts) {
    this.#ports = ports
  }

  /**
   * Waits until the piece is due, makes its call and stores what came of it. Answers with what stands in its place now: nothing, the
   * piece itself, smaller ones, or the piece with another chat. Rejects when the house stops or the store is beyond help; the
   * piece must not be sent again in this life then.
   */
  async deliver(piece: QueuedPiece): Promise<readonly QueuedPiece[]> {
    if (piece.start === 'interrupted') return this.#follow(piece, interruptedCall)
    const { adapters, clock, gate, watch } = this.#ports
    const adapter = adapters.get(piece.row.chat.adapter)
    if (!adapter || !isDue(piece, clock.now(), watch.count)) return this.#wait(piece, adapter)
    await piece.after
    const outcome = await gate.pass(piece.row.chat, () => this.#attempt(piece))
    return outcome === 'gone' ? [] : this.#follow(piece, outcome)
  }

  async #wait(piece: QueuedPiece, adapter: Adapter | undefined): Promise<readonly QueuedPiece[]> {
    const { clock, watch } = this.#ports
    const { row } = piece
    if (piece.start === 'marked') return [await this.#putBack(piece, notConnected)]
    await watch.pause(adapter && piece.patience?.kind !== 'connection' ? row.dueAt - clock.now() : Infinity)
    return [piece]
  }

  /** A piece that was marked for a call which does not follow is put back: the end of the process must not make it unknown. */
  async #putBack(piece: QueuedPiece, outcome: SendOutcome): Promise<QueuedPiece> {
    const { row, start } = piece
    if (start !== 'marked') return piece
    return { ...piece, start: 'pending', row: await this.#ports.writer.postpone(row, outcome, { dueAt: row.dueAt, changes: {} }) }
  }

  /** Until it is the piece's turn in the chat, the connection may be another. */
  async #attempt(piece: QueuedPiece): Promise<SendOutcome | 'gone'> {
    const { adapters, calls, stopping, writer } = this.#ports
    const { row, stream } = piece
    const capabilities = adapters.capabilities(row.chat)
    const message = capabilities.text.dialect === 'plain' ? await toPlain(row.message) : row.message
    if (stopping.aborted) await this.#putBack(piece, houseCloses)
    stopping.throwIfAborted()
    const adapter = adapters.get(row.chat.adapter)
    if (!adapter) return notConnected
    if (stream && stream.adapter !== adapter) return streamLost
    const { limit, unit } = sizeOf(capabilities)
    if (textLength(message.text, unit) > limit) return longerThanLimit
    if (piece.start === 'pending' && (await writer.attempt(row.key)) === 'gone') return 'gone'
    const { adapter: _, ...chat } = row.chat
    return calls.make({ adapter: row.chat.adapter, key: row.key }, (call) =>
      stream ? stream.stream.finish(message, call) : adapter.send(chat, message, call),
    )
  }

  async #follow({ row, stream }: QueuedPiece, outcome: SendOutcome): Promise<readonly QueuedPiece[]> {
    const { adapters, clock, logger, onUnknown, onOutcome, onSettled } = this.#ports
    const step = nextStep(row, outcome, {
      now: clock.now(),
      random: clock.random(),
      onUnknown,
      size: sizeOf(adapters.capabilities(row.chat)),
      isStream: stream !== undefined,
    })
    reportOutcome(logger, row, { outcome, step })
    const patience = this.#patienceAfter(step)
    if (step.kind === 'reconnect') adapters.fail(row.chat.adapter, step.failure)
    const next = { start: 'pending', patience, stream: streamAfter(stream, outcome, step) } as const
    const rows = await this.#store(row, outcome, step)
    if (step.kind === 'settle') onSettled(step.state)
    onOutcome(row, { outcome, isLast: step.kind === 'settle' })
    return rows.map((each) => ({ ...next, row: each }))
  }

  /** Stores what came of a call; answers with the rows that go on. */
  async #store(row: OutboxRecord, outcome: SendOutcome, step: NextStep): Promise<readonly OutboxRecord[]> {
    const { clock, ids, writer } = this.#ports
    const dueAt = clock.now()
    switch (step.kind) {
      case 'settle':
        await writer.settle(row.key, step.state, outcome)
        return []
      case 'split':
        return writer.replace(row.key, splitPiece(row, step.size, { dueAt, newKey: () => ids.key() }), outcome)
      case 'wait':
        return [await writer.postpone(row, outcome, step)]
      case 'repeat':
        return [await writer.postpone(row, outcome, { dueAt, changes: step.changes })]
      case 'plain':
        return [await writer.postpone(row, outcome, { dueAt, changes: { message: await toPlain(row.message), refusals: 0 } })]
      case 'reconnect':
        return [await writer.postpone(row, outcome, { dueAt, changes: {} })]
    }
  }

  /** Taken before the adapter is told to fail: it may connect again at once. */
  #patienceAfter(step: NextStep): Patience | undefined {
    const connections = this.#ports.watch.count
    if (step.kind === 'reconnect') return { kind: 'connection', connections }
    return step.kind === 'wait' && step.endsOnConnection ? { kind: 'date-or-connection', connections } : undefined
  }
}

/** The stream for the next call, where that is the same call again; any other end of a call but success ends the stream. */
function streamAfter(stream: OpenStream | undefined, outcome: SendOutcome, step: NextStep): OpenStream | undefined {
  const isSameAgain = step.kind === 'wait' || (step.kind === 'repeat' && outcome.status === 'unknown')
  if (isSameAgain) return stream
  if (outcome.status !== 'sent') stream?.abandon()
  return undefined
}
