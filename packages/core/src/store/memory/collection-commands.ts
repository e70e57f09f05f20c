import type { CommandGroup, CommandHandlers } from '../command-handlers.js'
import type { CollectionName } from '../collection-records.js'
import type { DocumentRow, Tables } from './tables.js'

/** What plugins keep. */
export const collectionCommands: CommandHandlers<Tables, CommandGroup<'collection'>> = {
  'collection.get'(tables, { key, at, ...name }) {
    const row = standing(tables.collections.get(idOf(name))?.get(key), at)
    return row && { key, value: row.value, version: row.version }
  },

  'collection.list'(tables, { prefix, after, limit, at, ...name }) {
    const rows = [...(tables.collections.get(idOf(name)) ?? [])].filter(
      ([key, row]) => standing(row, at) && key.startsWith(prefix) && (after === undefined || byCodePoint(key, after) > 0),
    )
    const sorted = rows.toSorted(([one], [other]) => byCodePoint(one, other)).slice(0, limit)
    return sorted.map(([key, { value, version }]) => ({ key, value, version }))
  },

  'collection.write'(tables, { writes, at, ...name }) {
    const id = idOf(name)
    const rows = tables.collections.get(id) ?? new Map<string, DocumentRow>()
    const versions = writes.map(({ key }) => standing(rows.get(key), at)?.version)
    const isFree = writes.every(({ ifVersion }, index) => ifVersion === undefined || ifVersion === (versions[index] ?? 'absent'))
    if (!isFree) return { outcome: 'conflict' }
    tables.collections.set(id, rows)
    const written = writes.map(({ key, value, expiresAt }, index) => {
      if (value !== undefined) rows.set(key, { value, version: ++tables.lastDocumentVersion, expiresAt })
      else rows.delete(key)
      return value === undefined ? (versions[index] ?? 0) : tables.lastDocumentVersion
    })
    return { outcome: 'written', versions: written }
  },
}

function idOf({ plugin, collection }: CollectionName): string {
  return JSON.stringify([plugin, collection])
}

function standing(row: DocumentRow | undefined, at: number): DocumentRow | undefined {
  return row && (row.expiresAt ?? Infinity) > at ? row : undefined
}

/** As UTF-8 sorts, and so SQLite. */
function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}
