import type { Author, Clock, InboundEvent, Logger, RoutedChat } from '@hermes/plugin-sdk'
import { runCommand, type CommandPorts } from '../commands/index.js'
import type { HookBus } from '../hooks/index.js'
import { notices } from '../kernel/index.js'
import { persist, type InboxRecord, type NewInboxRecord, type StateStore, type StoreCommandName, type StoreCommands } from '../store/index.js'
import { isHolding, sessionKeyOf, wayOf, type InboundWay, type WayPorts } from './inbound-way.js'
import { KeyedGate } from './keyed-gate.js'
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
  const gate = new KeyedGate()
  /** Rows whose routing has begun, by `seq`. Its bound is that of the gate. */
  const underWay = new Set<number>()

  const route = (row: InboxRecord, conversation?: string): void => {
    if (conversation !== undefined) return ports.commands.turns.wake(conversation)
    if (ports.signal.aborted || underWay.has(row.seq)) return
    if (!ports.judge(row.adapter, row.event)) {
      ports.logger.warn({ adapter: row.adapter, seq: row.seq }, 'A stored event waits for an adapter that no plugin brings.')
      return
    }
    underWay.add(row.seq)
    const left = (): void => void underWay.delete(row.seq)
    if (ports.hooks.isTapped('preDispatch')) {
      // What is behind it in its session waits until the plugins have said what it is.
      gate.enter(sessionKeyOf(row.adapter, row.event), true, async () => {
        const way = await wayAfterPlugins(row, ports)
        const done = (way ? go(row, way, ports) : Promise.resolve()).finally(left)
        if (way && isHolding(way)) await done
        else gate.track(done)
      })
      return
    }
    const way = wayOf(row.adapter, row.event, ports)
    if (way) gate.enter(way.key, isHolding(way), () => go(row, way, ports).finally(left))
  }

  return {
    plan: (adapter, events) => planBatch(adapter, events, { gate, ports }),
    route,
    async recover(adapter) {
      for (let after = 0; ;) {
        const rows = await ports.store.execute('inbox.unrouted', { after, limit: pageSize })
        for (const row of rows) if (adapter === undefined || row.adapter === adapter) route(row)
        const last = rows.at(-1)
        if (!last || rows.length < pageSize) return
        after = last.seq
      }
    },
    close: () => gate.idle(),
  }
}

function planBatch(
  adapter: string,
  events: readonly InboundEvent[],
  { gate, ports }: { gate: KeyedGate; ports: RouterPorts },
): readonly NewInboxRecord[] {
  // What is left to the next start must not be overtaken.
  if (ports.signal.aborted) return events.map((event) => ({ event }))
  // Plugins are asked about what is stored.
  if (ports.hooks.isTapped('preDispatch')) return events.map((event) => ({ event }))
  // A command may be about to begin another conversation, and what it asks of the running turn means what was there before it.
  const behindCommand = new Set<string>()
  return events.map((event) => {
    const way = wayOf(adapter, event, ports)
    if (way?.kind === 'command') behindCommand.add(way.key)
    if (way?.kind !== 'lane' || behindCommand.has(way.key) || gate.isHeld(way.key)) return { event }
    return { event, route: way.route }
  })
}

/** `undefined`: the row waits for the next start, or for its adapter. */
async function wayAfterPlugins(row: InboxRecord, ports: RouterPorts): Promise<InboundWay | undefined> {
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
  return way?.kind === 'lane' && verdict.event !== row.event ? { ...way, event: verdict.event } : way
}

/** Never rejects: the row of what goes wrong is still in the store, and the next connection or start takes it up again. */
async function go(row: InboxRecord, way: InboundWay, ports: RouterPorts): Promise<void> {
  try {
    if (way.kind === 'lane') await queue(row, way, ports)
    else if (way.kind === 'end') await settle(row, way.reason, ports)
    else if (way.kind === 'pairing') await offerCode(row, way, ports)
    else await command(row, way.call, ports)
  } catch (error) {
    if (!ports.signal.aborted)
      ports.logger.error({ adapter: row.adapter, seq: row.seq, error }, 'A stored event could not be routed; it waits for the next connection.')
  }
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
async function queue({ seq }: InboxRecord, { route, replyTo, event }: Extract<InboundWay, { kind: 'lane' }>, ports: RouterPorts): Promise<void> {
  const at = ports.clock.now()
  const routed = await insist(ports, 'session.route', { ...route, event, seq, at })
  if (routed.outcome === 'queued') return ports.commands.turns.wake(routed.conversation)
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
