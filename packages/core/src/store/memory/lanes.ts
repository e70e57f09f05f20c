import type { LaneRoute, NewInboxRecord, SessionRecord } from '../records.js'
import type { InboxRow, LaneRow, Tables } from './tables.js'

/** The lane of a conversation that must be there. */
export function laneOf(tables: Tables, conversation: string): LaneRow {
  const lane = tables.lanes.get(conversation)
  if (!lane) throw new Error(`conversation ${conversation} has no lane`)
  return lane
}

/** Begins a conversation; throws where there is one of this id already. */
export function openLane(tables: Tables, { conversation, key, at }: { conversation: string; key?: string | undefined; at: number }): LaneRow {
  refuseTaken(tables, conversation)
  const lane: LaneRow = { conversation, sessionKey: key, startedAt: at, messages: [], states: new Map(), waiting: [], epoch: 0 }
  tables.lanes.set(conversation, lane)
  return lane
}

/** Throws where an event would begin a conversation whose id is taken. */
export function refuseTakenConversations(tables: Tables, events: readonly NewInboxRecord[]): void {
  for (const { route } of events) if (route && !tables.sessions.has(route.key)) refuseTaken(tables, route.conversation)
}

/** Puts an unrouted row at the end of the lane that the key leads to, and answers whose lane that is; `undefined` where it is full. */
export function joinLane(tables: Tables, row: InboxRow, { limit, ...route }: LaneRoute & { at: number }): string | undefined {
  const { conversation } = reachSession(tables, route)
  const lane = laneOf(tables, conversation)
  if (lane.waiting.length >= limit) return undefined
  row.lane = conversation
  lane.waiting.push(row)
  tables.unrouted.delete(row.record.seq)
  return conversation
}

function refuseTaken(tables: Tables, conversation: string): void {
  if (tables.lanes.has(conversation)) throw new Error(`conversation ${conversation} exists already`)
}

function reachSession(tables: Tables, { key, conversation, chat, at }: Omit<LaneRoute, 'limit'> & { at: number }): SessionRecord {
  const known = tables.sessions.get(key)
  if (!known) openLane(tables, { conversation, key, at })
  const session = known ? { ...known, chat, updatedAt: at } : { key, conversation, chat, generation: 0, createdAt: at, updatedAt: at }
  tables.sessions.set(key, session)
  return session
}
