import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import { newOutboxRecord } from '../outbox-record.js'
import type { NewOutboxRecord, OutboxRecord } from '../records.js'
import { settleUnrouted } from './inbox-commands.js'
import type { Tables } from './tables.js'

/** What is to be shown, in order, until it is final. */
export const outboxCommands: CommandHandlers<Tables, CommandGroup<'outbox'>> = {
  'outbox.add'(tables, { rows, settles, at }) {
    refuseKnownKeys(tables, rows)
    if (settles) settleUnrouted(tables, settles)
    return addPieces(tables, rows, at)
  },

  'outbox.open'(tables, { adapter, after, limit }) {
    const open: OutboxRecord[] = []
    for (const [seq, keys] of [...tables.openPieces].toSorted(([left], [right]) => left - right)) {
      if (seq <= after) continue
      if (open.length >= limit) break
      const pieces = keys.map((key) => tables.pieces.get(key)).filter((piece) => piece !== undefined)
      open.push(...pieces.filter((piece) => isOpen(piece) && (adapter === undefined || piece.chat.adapter === adapter)))
    }
    return open
  },

  'outbox.attempt'(tables, { key, at }) {
    const piece = tables.pieces.get(key)
    if (piece?.state !== 'pending') return 'gone'
    tables.pieces.set(key, { ...piece, state: 'attempting', updatedAt: at })
    return 'attempting'
  },

  'outbox.settle'(tables, { key, state, outcome, at }) {
    const piece = tables.pieces.get(key)
    if (!piece || isFinal(piece)) return
    tables.pieces.set(key, { ...piece, state, outcome, updatedAt: at })
    if (state !== 'held') replaceKey(tables, piece, [])
  },

  'outbox.postpone'(tables, { key, dueAt, outcome, changes, at }) {
    const piece = tables.pieces.get(key)
    if (!piece || isFinal(piece)) return
    tables.pieces.set(key, { ...piece, ...changes, state: 'pending', dueAt, outcome, updatedAt: at })
  },

  'outbox.replace'(tables, { key, rows, outcome, at }) {
    const piece = tables.pieces.get(key)
    if (!piece || isFinal(piece)) return []
    refuseKnownKeys(tables, rows)
    const smaller = rows.map((row) => newOutboxRecord(row, { seq: piece.seq, at }))
    tables.pieces.set(key, { ...piece, state: 'dropped', outcome, updatedAt: at })
    for (const row of smaller) tables.pieces.set(row.key, row)
    replaceKey(
      tables,
      piece,
      smaller.map((row) => row.key),
    )
    return smaller
  },
}

/** Throws before anything is changed: a key names one piece for ever. */
export function refuseKnownKeys(tables: Tables, rows: readonly NewOutboxRecord[]): void {
  const keys = new Set<string>()
  for (const { key } of rows) {
    if (tables.pieces.has(key) || keys.has(key)) throw new Error(`piece ${key} is in the outbox already`)
    keys.add(key)
  }
}

/** Puts pieces at the end of the outbox. */
export function addPieces(tables: Tables, rows: readonly NewOutboxRecord[], at: number): OutboxRecord[] {
  return rows.map((row) => {
    const piece = newOutboxRecord(row, { seq: ++tables.lastOutboxSeq, at })
    tables.pieces.set(piece.key, piece)
    tables.openPieces.set(piece.seq, [piece.key])
    return piece
  })
}

function isOpen(piece: OutboxRecord): boolean {
  return piece.state === 'pending' || piece.state === 'attempting'
}

/** Nothing changes it any more. */
export function isFinal(piece: OutboxRecord): boolean {
  return piece.state === 'sent' || piece.state === 'dropped'
}

function replaceKey(tables: Tables, { seq, key }: OutboxRecord, keys: readonly string[]): void {
  const left = (tables.openPieces.get(seq) ?? []).flatMap((each) => (each === key ? keys : [each]))
  if (left.length === 0) tables.openPieces.delete(seq)
  else tables.openPieces.set(seq, left)
}
