import type { CommandGroup, CommandHandlers } from '../../store/index.js'
import type { Connection } from './connection.js'

/** What is no longer needed, found through an index each: those of `inbox_settled`, `outbox_final`, `turns_ended` and `documents_expiring`. */
const forgettings = [
  'DELETE FROM inbox WHERE seq IN (SELECT seq FROM inbox WHERE settled IS NOT NULL AND received_at < ? LIMIT ?)',
  'DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE is_final = 1 AND updated_at < ? LIMIT ?)',
  'DELETE FROM turns WHERE rowid IN (SELECT rowid FROM turns WHERE ended_at IS NOT NULL AND ended_at < ? LIMIT ?)',
  'DELETE FROM documents WHERE version IN (SELECT version FROM documents WHERE expires_at IS NOT NULL AND expires_at < ? LIMIT ?)',
]

/** What concerns all tables. */
export const storeCommands: CommandHandlers<Connection, CommandGroup<'store'>> = {
  'store.forget': (connection, { before, limit }) =>
    forgettings.map((sql) => connection.run(sql, [before, limit]).changes).reduce((sum, changes) => sum + changes, 0),
}
