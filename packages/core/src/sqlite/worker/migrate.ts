import type { Connection } from './connection.js'
import { StoreRefusal } from './store-refusal.js'
import { applicationId, indexes, schemaVersion, tables, type TableSchema } from './schema.js'

/**
 * Brings a file to the declared schema, in one transaction: missing tables, columns and indexes are added, data are kept. A start
 * that was cut off leaves the file as it was. Throws a `StoreRefusal` for a file that is newer, or another program's.
 */
export function migrate(connection: Connection, path: string): void {
  connection.exec('BEGIN IMMEDIATE')
  try {
    refuseForeign(connection, path)
    for (const table of tables) reconcile(connection, table)
    for (const index of indexes) connection.exec(index)
    mark(connection, 'application_id', applicationId)
    mark(connection, 'user_version', schemaVersion)
    connection.exec('COMMIT')
  } catch (error) {
    if (connection.isInTransaction) connection.exec('ROLLBACK')
    throw error
  }
}

/** Writes only what is not there: a start on a file that is up to date changes nothing in it. */
function mark(connection: Connection, pragma: 'application_id' | 'user_version', value: number): void {
  if (connection.pragma(pragma) !== value) connection.pragma(`${pragma} = ${value}`)
}

function refuseForeign(connection: Connection, path: string): void {
  const isOurs = connection.pragma('application_id') === applicationId
  if (!isOurs && connection.row('SELECT 1 FROM sqlite_schema'))
    throw new StoreRefusal({
      code: 'store.unavailable',
      message: `${path} is a database of another program. Give the store a path of its own.`,
      detail: { path, reason: 'it is a database of another program' },
    })
  const version = Number(connection.pragma('user_version'))
  if (version > schemaVersion)
    throw new StoreRefusal({
      code: 'store.newer',
      message: `${path} was written by a newer hermes (schema ${version}; this one knows ${schemaVersion}). Install that version again, or give the store another path.`,
      detail: { path, version, supported: schemaVersion },
    })
}

function reconcile(connection: Connection, table: TableSchema): void {
  const declared = Object.entries(table.columns)
  const present = new Set(connection.rows<{ name: string }>('SELECT name FROM pragma_table_info(?)', [table.name]).map((column) => column.name))
  if (present.size === 0) {
    const lines = [...declared.map(([name, declaration]) => `${name} ${declaration}`), ...(table.constraints ?? [])]
    connection.exec(`CREATE TABLE ${table.name} (${lines.join(', ')}) ${table.options ?? ''}`)
    return
  }
  for (const [name, declaration] of declared) if (!present.has(name)) connection.exec(`ALTER TABLE ${table.name} ADD COLUMN ${name} ${declaration}`)
}
