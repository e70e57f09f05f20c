import type { OutboundMessage, RoutedChat, TurnId } from '@hermes/plugin-sdk'
import {
  newOutboxRecord,
  type CommandGroup,
  type CommandHandlers,
  type NewOutboxRecord,
  type OutboxRecord,
  type OutboxState,
  type StoredOutcome,
} from '../../store/index.js'
import type { Connection } from './connection.js'
import { settleUnrouted } from './inbox-commands.js'

interface OutboxColumns {
  readonly key: string
  readonly seq: number
  readonly state: OutboxState
  readonly chat: string
  readonly turn: TurnId | null
  readonly lane: string | null
  readonly message: string
  readonly piece: string
  readonly attempts: number
  readonly refusals: number
  readonly due_at: number
  readonly outcome: string | null
  readonly created_at: number
  readonly updated_at: number
}

/** What is to be shown, in order, until it is final. */
export const outboxCommands: CommandHandlers<Connection, CommandGroup<'outbox'>> = {
  'outbox.add'(connection, { rows, settles, at }) {
    if (settles) settleUnrouted(connection, settles)
    return addPieces(connection, rows, at)
  },

  'outbox.open'(connection, { adapter, after, limit }) {
    const isAsked = `is_final = 0 AND state <> 'held' AND seq > ? AND (? IS NULL OR adapter = ?)`
    const who = adapter ?? null
    const last = connection.row<{ seq: number }>(`SELECT seq FROM outbox WHERE ${isAsked} ORDER BY seq, place LIMIT 1 OFFSET ?`, [
      after,
      who,
      who,
      limit - 1,
    ])
    const upTo = last?.seq ?? Number.MAX_SAFE_INTEGER
    const rows = connection.rows<OutboxColumns>(`SELECT * FROM outbox WHERE ${isAsked} AND seq <= ? ORDER BY seq, place`, [after, who, who, upTo])
    return rows.map(outboxRecord)
  },

  'outbox.attempt'(connection, { key, at }) {
    const { changes } = connection.run(`UPDATE outbox SET state = 'attempting', updated_at = ? WHERE key = ? AND state = 'pending'`, [at, key])
    return changes === 0 ? 'gone' : 'attempting'
  },

  'outbox.settle'(connection, { key, state, outcome, at }) {
    connection.run('UPDATE outbox SET state = ?, is_final = ?, outcome = ?, updated_at = ? WHERE key = ? AND is_final = 0', [
      state,
      state === 'held' ? 0 : 1,
      JSON.stringify(outcome),
      at,
      key,
    ])
  },

  'outbox.postpone'(connection, { key, dueAt, outcome, changes = {}, at }) {
    connection.run(
      `UPDATE outbox SET state = 'pending', due_at = ?, outcome = ?, updated_at = ?, message = coalesce(?, message), chat = coalesce(?, chat),
         adapter = coalesce(?, adapter), attempts = coalesce(?, attempts), refusals = coalesce(?, refusals)
       WHERE key = ? AND is_final = 0`,
      [
        dueAt,
        JSON.stringify(outcome),
        at,
        jsonOrNull(changes.message),
        jsonOrNull(changes.chat),
        changes.chat?.adapter ?? null,
        changes.attempts ?? null,
        changes.refusals ?? null,
        key,
      ],
    )
  },

  'outbox.replace'(connection, { key, rows, outcome, at }) {
    const replaced = connection.row<{ seq: number; place: number }>('SELECT seq, place FROM outbox WHERE key = ? AND is_final = 0', [key])
    if (!replaced) return []
    const { seq, place } = replaced
    connection.run(`UPDATE outbox SET state = 'dropped', is_final = 1, outcome = ?, updated_at = ? WHERE key = ?`, [JSON.stringify(outcome), at, key])
    connection.run('UPDATE outbox SET place = place + ? WHERE seq = ? AND place > ? AND is_final = 0', [rows.length - 1, seq, place])
    const smaller = rows.map((row) => newOutboxRecord(row, { seq, at }))
    for (const [index, record] of smaller.entries()) insertPiece(connection, record, place + index)
    return smaller
  },
}

/** Puts pieces at the end of the outbox: behind all that ever were in it, also those that are forgotten. */
export function addPieces(connection: Connection, rows: readonly NewOutboxRecord[], at: number): OutboxRecord[] {
  return rows.map((row) => {
    const last = connection.row<{ seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'outbox'")
    const record = newOutboxRecord(row, { seq: (last?.seq ?? 0) + 1, at })
    insertPiece(connection, record, 0)
    return record
  })
}

function insertPiece(connection: Connection, record: OutboxRecord, place: number): void {
  connection.run(
    `INSERT INTO outbox (key, seq, place, adapter, state, chat, turn, lane, message, piece, due_at, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      record.key,
      record.seq,
      place,
      record.chat.adapter,
      record.state,
      JSON.stringify(record.chat),
      record.turn ?? null,
      record.lane ?? null,
      JSON.stringify(record.message),
      JSON.stringify(record.piece),
      record.dueAt,
      record.createdAt,
      record.updatedAt,
    ],
  )
}

function outboxRecord(row: OutboxColumns): OutboxRecord {
  return {
    key: row.key,
    seq: row.seq,
    chat: JSON.parse(row.chat) as RoutedChat,
    turn: row.turn ?? undefined,
    lane: row.lane ?? undefined,
    message: JSON.parse(row.message) as OutboundMessage,
    piece: JSON.parse(row.piece) as OutboxRecord['piece'],
    state: row.state,
    attempts: row.attempts,
    refusals: row.refusals,
    dueAt: row.due_at,
    outcome: row.outcome === null ? undefined : (JSON.parse(row.outcome) as StoredOutcome),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function jsonOrNull(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}
