import type { Author, Clock, InboundEvent, Logger, RoutedChat } from '@hermes/plugin-sdk'
import { runCommand, type CommandPorts } from '../commands/index.js'
import type { HookBus } from '../hooks/index.js'
import { notices } from '../kernel/index.js'
import { persist, type InboxRecord, type NewInboxRecord, type StateStore, type StoreCommandName, type StoreCommands } from '../store/index.js'
import { isHolding, isMove, sessionKeyOf, wayOf, type InboundWay, type MovingWay, type WayPorts } from './inbound-way.js'
import { KeyedGate } from './keyed-gate.js'
import { MessageJoins, type Arrival } from './message-joins.js'
import { askPlugins } from './pre-dispatch.js'

/** Rows read at once after a restart. */
const pageSize = 256
/** Characters that are kept of a plugin's reason to skip an event. */
const longestReason = 200

/** What the way from the inbox to a lane needs of the house. */
export interface RouterPorts extends WayPorts {
  readonly store: StateStore
  readonly clock: Clock
  readonly logger: Logger
  readonly commands: CommandPorts
  readonly hooks: Pick<HookBus, 'preDispatch' | 'isTapped'>
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
  /** Gives a code to who wrote the row, where there is one, and settles the row. */
  offerCode(seq: number, chat: RoutedChat, author: Author): Promise<void>
  /** A row was settled without a turn. */
  onSettled(): void
}

/** Takes every event to its place: a lane, a command, or a logged end. */
export interface InboundRouter {
  /**
   * Gives messages that are about to be stored their lanes: whatever has to wait for something else of its session is left to `route`.
   * The result has to be stored before the next call for the same session.
   */
  plan(adapter: string, events: readonly InboundEvent[]): readonly NewInboxRecord[]
  /**
   * Goes on with a stored row; one that is in the lane of `conversation` already needs nothing more. Rows of one session keep their order.
   * A row that is under way is left alone, and every row while the house closes. Never throws.
   */
  route(row: InboxRecord, conversation?: string): void
  /** Begins to route what was left behind, of one adapter instance or of all: by a crash, or while no plugin brought it. Access is judged again. */
  recover(adapter?: string): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** Makes the router. */
export function createInboundRouter(ports: RouterPorts): InboundRouter {
  return new GatedRouter(ports)
}

class GatedRouter implements InboundRouter {
  readonly #ports: RouterPorts
  readonly #gate = new KeyedGate()
  readonly #joins: MessageJoins
  /** Rows whose routing has begun, by `seq`. Its bound is that of the gate. */
  readonly #underWay = new Set<number>()
  /** Moves of chats that are not done: what is behind them may be of the new address, whose sessions must not begin anew. */
  readonly #moves = new Set<Promise<void>>()

  constructor(ports: RouterPorts) {
    this.#ports = ports
    this.#joins = new MessageJoins(ports)
  }

  plan(adapter: string, events: readonly InboundEvent[]): readonly NewInboxRecord[] {
    const { signal, hooks } = this.#ports
    // What is left to the next start must not be overtaken, and plugins are asked about what is stored.
    const isLeft = signal.aborted || hooks.isTapped('preDispatch') || this.#moves.size > 0 || events.some(isMove)
    if (isLeft) return events.map((event) => ({ event }))
    // A command may be about to begin another conversation, and what it asks of the running turn means what was there before it.
    const held = new Set<string>()
    return events.map((event) => {
      const way = wayOf(adapter, event, this.#ports)
      const isPart = event.kind === 'message' && event.join !== undefined
      if (isPart) held.add(sessionKeyOf(adapter, event))
      if (way?.kind === 'command') held.add(way.key)
      if (way?.kind !== 'lane' || held.has(way.key) || this.#gate.isHeld(way.key)) return { event }
      return { event, route: way.route }
    })
  }

  route(row: InboxRecord, conversation?: string): void {
    const ports = this.#ports
    if (conversation !== undefined) return ports.commands.turns.wake(conversation)
    if (ports.signal.aborted || this.#underWay.has(row.seq)) return
    const way = wayOf(row.adapter, row.event, ports)
    if (!way) {
      ports.logger.warn({ adapter: row.adapter, seq: row.seq }, 'A stored event waits for an adapter that no plugin brings.')
      return
    }
    const arriving = this.#joins.take(row)
    const moves = [...this.#moves]
    const left = this.#begin(row)
    if (arriving === 'joined') return
    if (arriving || moves.length > 0 || ports.hooks.isTapped('preDispatch')) this.#routeLater(row, { arriving, moves, left })
    else this.#gate.enter(way.key, isHolding(way), () => go({ row, parts: [] }, way, ports).finally(left))
  }

  async recover(adapter?: string): Promise<void> {
    for (let after = 0; ;) {
      const rows = await this.#ports.store.execute('inbox.unrouted', { after, limit: pageSize })
      for (const row of rows) if (adapter === undefined || row.adapter === adapter) this.route(row)
      const last = rows.at(-1)
      if (!last || rows.length < pageSize) return
      after = last.seq
    }
  }

  close(): Promise<void> {
    return this.#gate.idle()
  }

  /** Marks a row as under way; the result unmarks it. */
  #begin({ seq, event }: InboxRecord): () => void {
    this.#underWay.add(seq)
    if (!isMove(event)) return () => void this.#underWay.delete(seq)
    let done = (): void => undefined
    const moved = new Promise<void>((resolve) => (done = resolve))
    this.#moves.add(moved)
    return () => {
      this.#underWay.delete(seq)
      this.#moves.delete(moved)
      done()
    }
  }

  /** What is behind it in its session waits until it is whole, and plugins have said what it is. */
  #routeLater(row: InboxRecord, { arriving, moves, left }: LateRow): void {
    const ports = this.#ports
    const pass = async (): Promise<void> => {
      const arrival = arriving ? await arriving : { row, parts: [] }
      await Promise.all(moves)
      const way = arrival && (await wayOfArrival(arrival, ports))
      const done = (way ? go(arrival, way, ports) : Promise.resolve()).finally(() => {
        left()
        for (const { seq } of arrival?.parts ?? []) this.#underWay.delete(seq)
      })
      if (way && isHolding(way)) await done
      else this.#gate.track(done)
    }
    this.#gate.enter(sessionKeyOf(row.adapter, row.event), true, pass)
  }
}

/** A row that cannot be routed at once. */
interface LateRow {
  /** Until it is whole, where it is a part of something. */
  readonly arriving: Promise<Arrival | undefined> | undefined
  /** What has to be done before. */
  readonly moves: readonly Promise<void>[]
  readonly left: () => void
}

/** `undefined`: the row waits for the next start, or for its adapter. */
async function wayOfArrival({ row, parts }: Arrival, ports: RouterPorts): Promise<InboundWay | undefined> {
  const verdict = await askPlugins(row, ports)
  if (!verdict) return undefined
  if (verdict.action === 'skip') {
    return {
      kind: 'end',
      key: sessionKeyOf(row.adapter, row.event),
      reason: `skipped by ${verdict.owner}: ${verdict.reason.slice(0, longestReason)}`,
    }
  }
  const way = wayOf(row.adapter, verdict.event, ports)
  const isChanged = verdict.event !== row.event || parts.length > 0
  return way?.kind === 'lane' && isChanged ? { ...way, event: verdict.event } : way
}

/** Never rejects: the row of what goes wrong is still in the store, and the next connection or start takes it up again. */
async function go({ row, parts }: Arrival, way: InboundWay, ports: RouterPorts): Promise<void> {
  try {
    if (way.kind === 'lane') return await queue({ row, parts }, way, ports)
    // A crash in between leaves the first part, which comes to the same end.
    for (const part of parts) await settle(part, 'joined', ports)
    if (way.kind === 'end') await settle(row, way.reason, ports)
    else if (way.kind === 'pairing') await offerCode(row, way, ports)
    else if (way.kind === 'move') await move(row, way, ports)
    else await command(row, way.call, ports)
  } catch (error) {
    if (!ports.signal.aborted)
      ports.logger.error({ adapter: row.adapter, seq: row.seq, error }, 'A stored event could not be routed; it waits for the next connection.')
  }
}

async function move({ seq, adapter, event }: InboxRecord, { key, to, chat }: MovingWay, ports: RouterPorts): Promise<void> {
  const settles = { seq, reason: 'chat-moved' }
  const { moved } = await insist(ports, 'session.move', { from: key, to, chat, at: ports.clock.now(), settles })
  ports.logger.warn(
    { adapter, from: event.chat.chatId, to: chat.chatId, sessions: moved },
    'A chat has another id now. Its sessions go on; where an option names the old id, put the new one there.',
  )
  ports.onSettled()
}

async function command({ seq }: InboxRecord, call: Extract<InboundWay, { kind: 'command' }>['call'], ports: RouterPorts): Promise<void> {
  await runCommand({ ...call, seq }, ports.commands)
  ports.onSettled()
}

async function offerCode({ seq }: InboxRecord, { chat, author }: Extract<InboundWay, { kind: 'pairing' }>, ports: RouterPorts): Promise<void> {
  await ports.offerCode(seq, chat, author)
  ports.onSettled()
}

/** Ends a row without a turn, in a logged silence. */
async function settle(row: InboxRecord, reason: string, ports: RouterPorts): Promise<void> {
  const { chat, author, kind } = row.event
  ports.logger.info({ adapter: row.adapter, kind, chat: chat.chatId, author: author?.id, reason }, 'An event starts nothing.')
  await insist(ports, 'inbox.settle', { seq: row.seq, reason, at: ports.clock.now() })
  ports.onSettled()
}

/** Puts a message at the end of its conversation's lane. */
async function queue({ row, parts }: Arrival, { route, replyTo, event }: Extract<InboundWay, { kind: 'lane' }>, ports: RouterPorts): Promise<void> {
  const at = ports.clock.now()
  const { seq } = row
  const routed = await insist(ports, 'session.route', { ...route, event, seq, at, joined: parts.map((part) => part.seq) })
  if (routed.outcome === 'queued') {
    for (let settled = 0; settled < parts.length; settled++) ports.onSettled()
    return ports.commands.turns.wake(routed.conversation)
  }
  for (const part of parts) await settle(part, 'joined', ports)
  if (routed.outcome === 'settled') return
  const { delivery } = ports.commands
  const rows = delivery.compose(route.chat, notices['queue.full'](ports.waitingLimit), { replyTo, format: 'plain' })
  delivery.take(await insist(ports, 'outbox.add', { rows, settles: { seq, reason: 'queue-full' }, at }))
  ports.onSettled()
}

function insist<N extends StoreCommandName>(ports: RouterPorts, name: N, args: StoreCommands[N]['args']): Promise<StoreCommands[N]['result']> {
  const onFailure = (error: unknown, waitMs: number): void =>
    ports.logger.error({ command: name, waitMs, error }, 'The store could not route an event; it is tried again.')
  return persist(ports.store, { id: ports.ids.next('command'), name, args }, { clock: ports.clock, signal: ports.signal, onFailure })
}
