import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import type { StoreCommands } from '../commands.js'
import type { LaneStatus, SessionRecord } from '../records.js'
import { stoppedByRenewal } from '../stop-rule.js'
import { settleUnrouted } from './inbox-commands.js'
import { addPieces, refuseKnownKeys } from './outbox-commands.js'
import type { LaneRow, Tables } from './tables.js'

/** Which conversation a key leads to, and what waits there. */
export const sessionCommands: CommandHandlers<Tables, CommandGroup<'session'>> = {
  'session.route'(tables, args) {
    const isNew = !tables.sessions.has(args.key)
    const session = reachSession(tables, args)
    const row = tables.inbox.get(args.seq)
    if (!row || row.settled !== undefined) return { outcome: 'settled', session, isNew }
    if (row.lane !== undefined) return { outcome: 'queued', session, isNew }
    const lane = laneOf(tables, session.conversation)
    if (lane.waiting.length >= args.limit) return { outcome: 'full', session, isNew }
    row.lane = lane.conversation
    lane.waiting.push(row)
    tables.unrouted.delete(args.seq)
    return { outcome: 'queued', session, isNew }
  },

  'session.get'(tables, { key }) {
    const session = tables.sessions.get(key)
    return session && { session, lane: laneStatus(laneOf(tables, session.conversation)) }
  },

  'session.renew'(tables, args) {
    const session = tables.sessions.get(args.key)
    if (session?.conversation !== args.conversation) return { session, isRenewed: false, outbox: [] }
    refuseKnownKeys(tables, args.outbox)
    const renewed = { ...session, conversation: args.next, generation: session.generation + 1, updatedAt: args.at }
    tables.sessions.set(args.key, renewed)
    moveLane(laneOf(tables, args.conversation), openLane(tables, { conversation: args.next, key: args.key, at: args.at }))
    if (args.settles) settleUnrouted(tables, args.settles)
    return { session: renewed, isRenewed: true, outbox: addPieces(tables, args.outbox, args.at) }
  },
}

/** The lane of a conversation that must be there. */
function laneOf(tables: Tables, conversation: string): LaneRow {
  const lane = tables.lanes.get(conversation)
  if (!lane) throw new Error(`conversation ${conversation} has no lane`)
  return lane
}

function reachSession(tables: Tables, { key, conversation, chat, at }: StoreCommands['session.route']['args']): SessionRecord {
  const known = tables.sessions.get(key)
  const session = known ? { ...known, chat, updatedAt: at } : { key, conversation, chat, generation: 0, createdAt: at, updatedAt: at }
  tables.sessions.set(key, session)
  if (!known) openLane(tables, { conversation, key, at })
  return session
}

function openLane(tables: Tables, { conversation, key, at }: { conversation: string; key: string; at: number }): LaneRow {
  if (tables.lanes.has(conversation)) throw new Error(`conversation ${conversation} exists already`)
  const lane: LaneRow = { conversation, sessionKey: key, startedAt: at, messages: [], states: new Map(), waiting: [], epoch: 0 }
  tables.lanes.set(conversation, lane)
  return lane
}

function moveLane(from: LaneRow, to: LaneRow): void {
  to.waiting = from.waiting
  for (const row of to.waiting) row.lane = to.conversation
  from.waiting = []
  if (from.openTurn) from.openTurn.stop ??= stoppedByRenewal
}

function laneStatus(lane: LaneRow): LaneStatus {
  return {
    conversation: lane.conversation,
    epoch: lane.epoch,
    messages: lane.messages.length,
    waiting: lane.waiting.length,
    openTurn: lane.openTurn?.id,
    startedAt: lane.startedAt,
  }
}
