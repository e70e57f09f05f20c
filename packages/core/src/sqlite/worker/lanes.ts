import type { RoutedChat } from '@hermes/plugin-sdk'
import type { LaneRoute, SessionRecord } from '../../store/index.js'
import type { Connection } from './connection.js'

/** What waits in a lane: the condition of the index `inbox_waiting`. */
export const waitsInLane = 'lane IS NOT NULL AND turn IS NULL AND settled IS NULL'

/** Where a row waits. */
export interface LanePlace {
  readonly conversation: string
  readonly position: number
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

/** Begins a conversation; throws where there is one of this id already. */
export function openLane(connection: Connection, { conversation, key, at }: { conversation: string; key?: string | undefined; at: number }): void {
  connection.run('INSERT INTO lanes (conversation, session_key, started_at) VALUES (?, ?, ?)', [conversation, key ?? null, at])
}

/** The end of the lane that the key leads to, which is opened where there is none; `undefined` where it is full. */
export function findPlace(connection: Connection, { limit, ...route }: LaneRoute & { at: number }): LanePlace | undefined {
  const conversation = reachConversation(connection, route)
  const { waiting, next } = tailOf(connection, conversation)
  return waiting >= limit ? undefined : { conversation, position: next }
}

/** How many rows wait in a lane, and the position behind them. */
export function tailOf(connection: Connection, lane: string): { waiting: number; next: number } {
  const tail = connection.row<{ waiting: number; next: number }>(
    `SELECT count(*) AS waiting, coalesce(max(position), 0) + 1 AS next FROM inbox WHERE lane = ? AND ${waitsInLane}`,
    [lane],
  )
  return tail ?? { waiting: 0, next: 1 }
}

function reachConversation(connection: Connection, { key, conversation, chat, at }: Omit<LaneRoute, 'limit'> & { at: number }): string {
  const known = connection.row<{ conversation: string }>('UPDATE sessions SET chat = ?, updated_at = ? WHERE key = ? RETURNING conversation', [
    JSON.stringify(chat),
    at,
    key,
  ])
  if (known) return known.conversation
  openLane(connection, { conversation, key, at })
  connection.run('INSERT INTO sessions (key, conversation, chat, created_at, updated_at) VALUES (?, ?, ?, ?, ?)', [
    key,
    conversation,
    JSON.stringify(chat),
    at,
    at,
  ])
  return conversation
}
