import type { CommandGroup, CommandHandlers, StoredDocument } from '../../store/index.js'
import type { Connection } from './connection.js'

const standing = 'FROM documents WHERE plugin = ? AND collection = ? AND (expires_at IS NULL OR expires_at > ?)'
/** Behind every character that a key may have. */
const behindAll = '\u{10FFFF}'

/** What plugins keep. */
export const collectionCommands: CommandHandlers<Connection, CommandGroup<'collection'>> = {
  'collection.get': (connection, { plugin, collection, key, at }) =>
    connection.row<StoredDocument>(`SELECT key, value, version ${standing} AND key = ?`, [plugin, collection, at, key]),

  'collection.list': (connection, { plugin, collection, prefix, after, limit, at }) =>
    connection.rows<StoredDocument>(`SELECT key, value, version ${standing} AND key >= ? AND key < ? AND key > ? ORDER BY key LIMIT ?`, [
      plugin,
      collection,
      at,
      prefix,
      prefix + behindAll,
      after ?? '',
      limit,
    ]),

  'collection.write'(connection, { plugin, collection, writes, at }) {
    const versionOf = (key: string): number | undefined =>
      connection.row<{ version: number }>(`SELECT version ${standing} AND key = ?`, [plugin, collection, at, key])?.version
    const versions = writes.map(({ key }) => versionOf(key))
    const isFree = writes.every(({ ifVersion }, index) => ifVersion === undefined || ifVersion === (versions[index] ?? 'absent'))
    if (!isFree) return { outcome: 'conflict' }
    const written = writes.map(({ key, value, expiresAt }, index) => {
      if (value !== undefined) {
        const row = [plugin, collection, key, value, expiresAt ?? null]
        // A replaced row gets a new id, which no row ever had: that is its version.
        return connection.run('INSERT OR REPLACE INTO documents (plugin, collection, key, value, expires_at) VALUES (?, ?, ?, ?, ?)', row).insertedId
      }
      connection.run('DELETE FROM documents WHERE plugin = ? AND collection = ? AND key = ?', [plugin, collection, key])
      return versions[index] ?? 0
    })
    return { outcome: 'written', versions: written }
  },
}
