import { join } from 'node:path'
import Database from 'better-sqlite3'
import { median } from './statistics.js'

const commits = 200
const row = 'x'.repeat(500)

/** What one commit of a row of 500 bytes costs on this disk, in milliseconds (median): raw better-sqlite3, WAL. */
export function measureCommit(directory: string, synchronous: 'FULL' | 'NORMAL'): number {
  const database = new Database(join(directory, `commits-${synchronous}.db`))
  try {
    database.pragma('journal_mode = WAL')
    database.pragma(`synchronous = ${synchronous}`)
    database.exec('CREATE TABLE IF NOT EXISTS rows (body TEXT)')
    const insert = database.prepare('INSERT INTO rows (body) VALUES (?)')
    const times: number[] = []
    for (let index = 0; index < commits; index += 1) {
      const begun = performance.now()
      insert.run(row)
      times.push(performance.now() - begun)
    }
    return median(times)
  } finally {
    database.close()
  }
}
