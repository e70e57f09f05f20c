import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import { isFinal } from './outbox-commands.js'
import type { Tables } from './tables.js'

/** What is no longer needed. An ended turn leaves nothing behind here. */
export const storeCommands: CommandHandlers<Tables, CommandGroup<'store'>> = {
  'store.forget': (tables, { before, limit }) =>
    forgetEvents(tables, before, limit) + forgetPieces(tables, before, limit) + forgetDocuments(tables, before, limit),
}

function forgetDocuments(tables: Tables, before: number, limit: number): number {
  let forgotten = 0
  for (const rows of tables.collections.values())
    for (const [key, { expiresAt = Infinity }] of rows) {
      if (forgotten === limit) return forgotten
      if (expiresAt < before && rows.delete(key)) forgotten++
    }
  return forgotten
}

function forgetEvents(tables: Tables, before: number, limit: number): number {
  let forgotten = 0
  for (const [seq, row] of tables.inbox) {
    if (forgotten === limit) break
    if (row.settled === undefined || row.record.receivedAt >= before) continue
    tables.inbox.delete(seq)
    tables.known.delete(row.identity)
    forgotten++
  }
  return forgotten
}

function forgetPieces(tables: Tables, before: number, limit: number): number {
  let forgotten = 0
  for (const [key, piece] of tables.pieces) {
    if (forgotten === limit) break
    if (!isFinal(piece) || piece.updatedAt >= before) continue
    tables.pieces.delete(key)
    forgotten++
  }
  return forgotten
}
