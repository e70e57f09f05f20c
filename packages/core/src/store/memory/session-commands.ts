import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import { injectedRecord } from '../injected-event.js'
import type { LaneStatus } from '../records.js'
import { stoppedByRenewal } from '../stop-rule.js'
import { settleUnrouted } from './inbox-commands.js'
import { joinLane, laneOf, openLane } from './lanes.js'
import { addPieces, refuseKnownKeys } from './outbox-commands.js'
import type { InboxRow, LaneRow, Tables } from './tables.js'

/** Which conversation a key leads to, and what waits there. */
export const sessionCommands: CommandHandlers<Tables, CommandGroup<'session'>> = {
  'session.route'(tables, { seq, event, joined = [], ...route }) {
    const row = tables.inbox.get(seq)
    if (!row || row.settled !== undefined) return { outcome: 'settled' }
    if (row.lane !== undefined) return { outcome: 'queued', conversation: row.lane }
    const conversation = joinLane(tables, row, route)
    if (conversation === undefined) return { outcome: 'full' }
    if (event && 'event' in row.record) row.record = { ...row.record, event }
    for (const part of joined) settleUnrouted(tables, { seq: part, reason: 'joined' })
    return { outcome: 'queued', conversation }
  },

  'session.move'(tables, { from, to, chat, at, settles }) {
    const sessions = [...tables.sessions.values()].filter(({ key }) => key === from || key.startsWith(`${from}:`))
    const moving = sessions.map((session) => ({ session, key: to + session.key.slice(from.length) })).filter(({ key }) => !tables.sessions.has(key))
    for (const { session, key } of moving) {
      tables.sessions.delete(session.key)
      tables.sessions.set(key, { ...session, key, chat, updatedAt: at })
      for (const lane of tables.lanes.values()) if (lane.sessionKey === session.key) lane.sessionKey = key
    }
    settleUnrouted(tables, settles)
    return { moved: moving.length }
  },

  'session.inject'(tables, { key, limit, at, ...said }) {
    const session = tables.sessions.get(key)
    if (!session) return { outcome: 'no-session' }
    const { conversation, chat } = session
    if (laneOf(tables, conversation).waiting.length >= limit) return { outcome: 'full' }
    const seq = ++tables.lastInboxSeq
    const record = { seq, ...injectedRecord(said, chat, at) }
    const row: InboxRow = { identity: JSON.stringify([`plugin:${said.by}`, said.id]), record }
    tables.inbox.set(seq, row)
    tables.known.set(row.identity, row)
    joinLane(tables, row, { key, conversation, chat, limit, at })
    return { outcome: 'queued', conversation }
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
