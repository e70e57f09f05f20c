import type { RoutedChat, TurnId } from '@hermes/plugin-sdk'
import {
  stoppedByRenewal,
  type CommandGroup,
  type CommandHandlers,
  type LaneStatus,
  type SessionRecord,
  type StoreCommands,
} from '../../store/index.js'
import type { Connection } from './connection.js'
import { settleUnrouted } from './inbox-commands.js'
import { addPieces } from './outbox-commands.js'

/** What waits in a lane: the condition of the index `inbox_waiting`. */
const waitsInLane = 'lane IS NOT NULL AND turn IS NULL AND settled IS NULL'

/** Which conversation a key leads to, and what waits there. */
export const sessionCommands: CommandHandlers<Connection, CommandGroup<'session'>> = {
  'session.route'(connection, args) {
    const { session, isNew } = reachSession(connection, args)
    const row = connection.row<{ lane: string | null; settled: string | null }>('SELECT lane, settled FROM inbox WHERE seq = ?', [args.seq])
    if (!row || row.settled !== null) return { outcome: 'settled', session, isNew }
    if (row.lane !== null) return { outcome: 'queued', session, isNew }
    const { waiting, next } = tailOf(connection, session.conversation)
    if (waiting >= args.limit) return { outcome: 'full', session, isNew }
    connection.run('UPDATE inbox SET lane = ?, position = ? WHERE seq = ?', [session.conversation, next, args.seq])
    return { outcome: 'queued', session, isNew }
  },

  'session.get'(connection, { key }) {
    const session = findSession(connection, key)
    return session && { session, lane: laneStatus(connection, session.conversation) }
  },

  'session.renew'(connection, args) {
    const session = findSession(connection, args.key)
    if (session?.conversation !== args.conversation) return { session, isRenewed: false, outbox: [] }
    const renewed = { ...session, conversation: args.next, generation: session.generation + 1, updatedAt: args.at }
    openLane(connection, { conversation: args.next, key: args.key, at: args.at })
    connection.run('UPDATE sessions SET conversation = ?, generation = ?, updated_at = ? WHERE key = ?', [
      renewed.conversation,
      renewed.generation,
      renewed.updatedAt,
      args.key,
    ])
    connection.run('UPDATE lanes SET ended_at = ?, end_reason = ? WHERE conversation = ?', [args.at, args.reason, args.conversation])
    connection.run(`UPDATE inbox SET lane = ? WHERE lane = ? AND ${waitsInLane}`, [args.next, args.conversation])
    connection.run(`UPDATE turns SET stop = ? WHERE lane = ? AND state = 'open' AND stop IS NULL`, [
      JSON.stringify(stoppedByRenewal),
      args.conversation,
    ])
    if (args.settles) settleUnrouted(connection, args.settles)
    return { session: renewed, isRenewed: true, outbox: addPieces(connection, args.outbox, args.at) }
  },
}

/** The session that a key leads to. */
export function findSession(connection: Connection, key: string): SessionRecord | undefined {
  const row = connection.row<{ conversation: string; chat: string; generation: number; created_at: number; updated_at: number }>(
    'SELECT conversation, chat, generation, created_at, updated_at FROM sessions WHERE key = ?',
    [key],
  )
  if (!row) return undefined
  const chat = JSON.parse(row.chat) as RoutedChat
  return { key, conversation: row.conversation, chat, generation: row.generation, createdAt: row.created_at, updatedAt: row.updated_at }
}

function reachSession(
  connection: Connection,
  { key, conversation, chat, at }: StoreCommands['session.route']['args'],
): { session: SessionRecord; isNew: boolean } {
  const known = findSession(connection, key)
  if (known) {
    connection.run('UPDATE sessions SET chat = ?, updated_at = ? WHERE key = ?', [JSON.stringify(chat), at, key])
    return { session: { ...known, chat, updatedAt: at }, isNew: false }
  }
  openLane(connection, { conversation, key, at })
  connection.run('INSERT INTO sessions (key, conversation, chat, created_at, updated_at) VALUES (?, ?, ?, ?, ?)', [
    key,
    conversation,
    JSON.stringify(chat),
    at,
    at,
  ])
  return { session: { key, conversation, chat, generation: 0, createdAt: at, updatedAt: at }, isNew: true }
}

function openLane(connection: Connection, { conversation, key, at }: { conversation: string; key: string; at: number }): void {
  connection.run('INSERT INTO lanes (conversation, session_key, started_at) VALUES (?, ?, ?)', [conversation, key, at])
}

function tailOf(connection: Connection, lane: string): { waiting: number; next: number } {
  const tail = connection.row<{ waiting: number; next: number }>(
    `SELECT count(*) AS waiting, coalesce(max(position), 0) + 1 AS next FROM inbox WHERE lane = ? AND ${waitsInLane}`,
    [lane],
  )
  return tail ?? { waiting: 0, next: 1 }
}

function laneStatus(connection: Connection, conversation: string): LaneStatus {
  const lane = connection.row<{ epoch: number; started_at: number; messages: number; turn: TurnId | null }>(
    `SELECT epoch, started_at,
       (SELECT count(*) FROM messages WHERE conversation = lanes.conversation) AS messages,
       (SELECT id FROM turns WHERE lane = lanes.conversation AND state = 'open') AS turn
     FROM lanes WHERE conversation = ?`,
    [conversation],
  )
  if (!lane) throw new Error(`conversation ${conversation} has no lane`)
  const { waiting } = tailOf(connection, conversation)
  return { conversation, epoch: lane.epoch, messages: lane.messages, waiting, openTurn: lane.turn ?? undefined, startedAt: lane.started_at }
}
