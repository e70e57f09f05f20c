import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import type { RunOrder, RunRecord } from '../records.js'
import { laneOf, openLane } from './lanes.js'
import type { InboxRow, LaneRow, Tables } from './tables.js'

/** What applications and plugins ask the agent. */
export const runCommands: CommandHandlers<Tables, CommandGroup<'run'>> = {
  'run.add'(tables, { order, key, lane: name, limit, at }) {
    const identity = identityOf(order)
    const known = tables.known.get(identity)
    if (known?.outcome) return { outcome: 'ended', result: known.outcome }
    if (known?.lane !== undefined && known.settled === undefined) return { outcome: 'waiting', lane: known.lane }
    const session = key === undefined ? undefined : tables.sessions.get(key)
    if (key !== undefined && !session) return { outcome: 'no-session' }
    const lane = session ? laneOf(tables, session.conversation) : openLane(tables, { conversation: name, at })
    if (lane.waiting.length >= limit) return { outcome: 'full' }
    if (known) forgetRow(tables, known)
    addOrder(tables, lane, { identity, record: { seq: ++tables.lastInboxSeq, run: order, receivedAt: at } })
    return { outcome: 'queued', lane: lane.conversation }
  },

  'run.stop'(tables, { by, id, reason }) {
    const row = tables.known.get(identityOf({ by, id }))
    if (row?.lane === undefined || row.settled !== undefined) return { outcome: 'none' }
    const lane = laneOf(tables, row.lane)
    const turn = lane.openTurn
    if (turn?.items.includes(row)) {
      turn.stop ??= reason
      return { outcome: 'stopping', turn: turn.id, lane: lane.conversation }
    }
    row.settled = 'withdrawn'
    lane.waiting = lane.waiting.filter((waiting) => waiting !== row)
    if (lane.sessionKey === undefined) tables.lanes.delete(lane.conversation)
    return { outcome: 'withdrawn' }
  },
}

function identityOf({ by, id }: Pick<RunOrder, 'by' | 'id'>): string {
  return JSON.stringify([`run:${by}`, id])
}

function addOrder(tables: Tables, lane: LaneRow, { identity, record }: { identity: string; record: RunRecord }): void {
  const row: InboxRow = { identity, record, lane: lane.conversation }
  tables.inbox.set(record.seq, row)
  tables.known.set(identity, row)
  lane.waiting.push(row)
}

function forgetRow(tables: Tables, { identity, record }: InboxRow): void {
  tables.inbox.delete(record.seq)
  tables.known.delete(identity)
}
