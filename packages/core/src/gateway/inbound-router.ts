import type { Clock, InboundMessage, Logger, RoutedChat, SharedOptions } from '@hermes/plugin-sdk'
import { judgeAccess } from '../access/index.js'
import { holdsWhatFollows, parseCommand, runCommand, type CommandPorts } from '../commands/index.js'
import { notices, type Ids } from '../kernel/index.js'
import { profileOfInstance, sessionKey } from '../sessions/index.js'
import { persist, type InboxRecord, type StateStore, type StoreCommandName, type StoreCommands } from '../store/index.js'
import { KeyedGate } from './keyed-gate.js'

/** Rows read at once after a restart. */
const pageSize = 256

/** What the way from the inbox to a lane needs of the house. */
export interface RouterPorts {
  readonly store: StateStore
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  readonly commands: CommandPorts
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
  /** Messages that may wait in one conversation. What was written before the bot connected is taken all the same. */
  readonly waitingLimit: number
  /** The access options of an adapter instance; `undefined` while no plugin brings it. */
  optionsOf(adapter: string): SharedOptions | undefined
  /** Since when its connection stands, milliseconds since the epoch. */
  connectedSince(adapter: string): number | undefined
  /** A row was settled without a turn. */
  onSettled(): void
}

/** Takes every stored row to its place: a lane, a command, or a logged end. */
export interface InboundRouter {
  /** Rows of one session keep their order. A row that is under way is left alone, and every row while the house closes. Never throws. */
  route(row: InboxRecord): void
  /** Begins to route what was left behind, of one adapter instance or of all: by a crash, or while no plugin brought it. Access is judged again. */
  recover(adapter?: string): Promise<void>
  /** Waits for what is under way. */
  close(): Promise<void>
}

/** Makes the router. */
export function createInboundRouter(ports: RouterPorts): InboundRouter {
  const ways: Ways = { gate: new KeyedGate(), underWay: new Set() }
  return {
    route: (row) => routeRow(row, ports, ways),
    async recover(adapter) {
      for (let after = 0; ;) {
        const rows = await ports.store.execute('inbox.unrouted', { after, limit: pageSize })
        for (const row of rows) if (adapter === undefined || row.adapter === adapter) routeRow(row, ports, ways)
        const last = rows.at(-1)
        if (!last || rows.length < pageSize) return
        after = last.seq
      }
    },
    close: () => ways.gate.idle(),
  }
}

interface Ways {
  readonly gate: KeyedGate
  /** Rows whose routing has begun, by `seq`. Its bound is that of the gate. */
  readonly underWay: Set<number>
}

function routeRow(row: InboxRecord, ports: RouterPorts, { gate, underWay }: Ways): void {
  if (ports.signal.aborted || underWay.has(row.seq)) return
  const options = ports.optionsOf(row.adapter)
  if (!options) {
    ports.logger.warn({ adapter: row.adapter, seq: row.seq }, 'A stored event waits for an adapter that no plugin brings.')
    return
  }
  const key = keyOf(row)
  const verdict = judgeAccess(row.event, options)
  const task = verdict.isAllowed ? taskFor(row, key, ports) : { isHolding: false, run: () => settle(row, verdict.reason, ports) }
  underWay.add(row.seq)
  gate.enter(key, task.isHolding, async () => {
    try {
      await task.run()
    } catch (error) {
      // The row is still in the store: the next connection or start takes it up again.
      if (!ports.signal.aborted)
        ports.logger.error({ adapter: row.adapter, seq: row.seq, error }, 'A stored event could not be routed; it waits for the next connection.')
    } finally {
      underWay.delete(row.seq)
    }
  })
}

function keyOf({ adapter, event }: InboxRecord): string {
  const { chat, author } = event
  return sessionKey({ ...chat, profile: profileOfInstance(adapter, chat.platform), userId: author.id })
}

interface RoutingTask {
  /** What comes behind it waits until it is done. */
  readonly isHolding: boolean
  run(): Promise<void>
}

function taskFor(row: InboxRecord, key: string, ports: RouterPorts): RoutingTask {
  const { event } = row
  if (event.kind !== 'message') return { isHolding: false, run: () => settle(row, event.kind, ports) }
  if (event.text.trim() === '') return { isHolding: false, run: () => settle(row, 'empty', ports) }
  const chat: RoutedChat = { ...event.chat, adapter: row.adapter }
  const command = parseCommand(event.text)
  // A write that has to be repeated must not be overtaken, and a stop behind a message must find its turn.
  if (!command) return { isHolding: true, run: () => queue(row, { key, chat, event }, ports) }
  const call = { seq: row.seq, ...command, author: event.author, chat, sessionKey: key, replyTo: replyTarget(event) }
  return {
    isHolding: holdsWhatFollows(command.name),
    async run() {
      await runCommand(call, ports.commands)
      ports.onSettled()
    },
  }
}

function replyTarget(event: InboundMessage): string | undefined {
  return event.chat.kind === 'dm' ? undefined : event.messageId
}

/** Ends a row without a turn, in a logged silence. */
async function settle(row: InboxRecord, reason: string, ports: RouterPorts): Promise<void> {
  const { chat, author, kind } = row.event
  ports.logger.info({ adapter: row.adapter, kind, chat: chat.chatId, author: author.id, reason }, 'An event starts nothing.')
  await insist(ports, 'inbox.settle', { seq: row.seq, reason, at: ports.clock.now() })
  ports.onSettled()
}

/** Puts a message at the end of its conversation's lane. */
async function queue(
  row: InboxRecord,
  { key, chat, event }: { key: string; chat: RoutedChat; event: InboundMessage },
  ports: RouterPorts,
): Promise<void> {
  const at = ports.clock.now()
  const limit = event.at < (ports.connectedSince(row.adapter) ?? Infinity) ? Number.MAX_SAFE_INTEGER : ports.waitingLimit
  const routed = await insist(ports, 'session.route', { seq: row.seq, key, conversation: ports.ids.next('conversation'), chat, limit, at })
  if (routed.outcome === 'queued') return ports.commands.turns.wake(routed.session.conversation)
  if (routed.outcome === 'settled') return
  const rows = ports.commands.delivery.compose(chat, notices['queue.full'](ports.waitingLimit), { replyTo: replyTarget(event), format: 'plain' })
  ports.commands.delivery.take(await insist(ports, 'outbox.add', { rows, settles: { seq: row.seq, reason: 'queue-full' }, at }))
  ports.onSettled()
}

function insist<N extends StoreCommandName>(ports: RouterPorts, name: N, args: StoreCommands[N]['args']): Promise<StoreCommands[N]['result']> {
  const onFailure = (error: unknown, waitMs: number): void =>
    ports.logger.error({ command: name, waitMs, error }, 'The store could not route an event; it is tried again.')
  return persist(ports.store, { id: ports.ids.next('command'), name, args }, { clock: ports.clock, signal: ports.signal, onFailure })
}
