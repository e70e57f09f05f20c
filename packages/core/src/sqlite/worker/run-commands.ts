import type { StopReason, TurnId, TurnOutcome } from '@hermes/plugin-sdk'
import type { CommandGroup, CommandHandlers, RunOrder } from '../../store/index.js'
import type { Connection } from './connection.js'
import { addToInbox } from './inbox-commands.js'
import { findSession, openLane, tailOf } from './lanes.js'

interface OrderRow {
  readonly seq: number
  readonly lane: string
  readonly turn: TurnId | null
  readonly settled: string | null
  /** Of its turn, when that has ended. */
  readonly outcome: string | null
}

/** What applications and plugins ask the agent. */
export const runCommands: CommandHandlers<Connection, CommandGroup<'run'>> = {
  'run.add'(connection, { order, key, lane: name, limit, at }) {
    const known = findOrder(connection, order)
    if (typeof known?.outcome === 'string') return { outcome: 'ended', result: JSON.parse(known.outcome) as TurnOutcome }
    if (known?.settled === null) return { outcome: 'waiting', lane: known.lane }
    const session = key === undefined ? undefined : findSession(connection, key)
    if (key !== undefined && !session) return { outcome: 'no-session' }
    const lane = session?.conversation ?? name
    const { waiting, next } = tailOf(connection, lane)
    if (waiting >= limit) return { outcome: 'full' }
    if (!session) openLane(connection, { conversation: lane, at })
    if (known) connection.run('DELETE FROM inbox WHERE seq = ?', [known.seq])
    const place = { conversation: lane, position: next }
    addToInbox(connection, { account: accountOf(order), id: order.id, adapter: '', event: { run: order }, at, place })
    return { outcome: 'queued', lane }
  },

  'run.stop'(connection, { by, id, reason }) {
    const order = findOrder(connection, { by, id })
    if (order?.settled !== null) return { outcome: 'none' }
    if (order.turn !== null) {
      stopTurn(connection, order.turn, reason)
      return { outcome: 'stopping', turn: order.turn, lane: order.lane }
    }
    connection.run(`UPDATE inbox SET settled = 'withdrawn', event = '' WHERE seq = ?`, [order.seq])
    connection.run('DELETE FROM lanes WHERE conversation = ? AND session_key IS NULL', [order.lane])
    return { outcome: 'withdrawn' }
  },
}

function accountOf({ by }: Pick<RunOrder, 'by'>): string {
  return `run:${by}`
}

function findOrder(connection: Connection, order: Pick<RunOrder, 'by' | 'id'>): OrderRow | undefined {
  return connection.row<OrderRow>(
    `SELECT seq, inbox.lane, turn, settled, outcome FROM inbox LEFT JOIN turns ON turns.id = inbox.turn WHERE account = ? AND event_id = ?`,
    [accountOf(order), order.id],
  )
}

function stopTurn(connection: Connection, turn: TurnId, reason: StopReason): void {
  connection.run('UPDATE turns SET stop = ? WHERE id = ? AND stop IS NULL', [JSON.stringify(reason), turn])
}
