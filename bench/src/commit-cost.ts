import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'

const row = 'x'.repeat(500)

/** Commits by raw better-sqlite3 on the disk of the benches. */
export interface CommitProbe {
  /** Writes a row of 500 bytes in a FULL commit; gives its time in milliseconds. */
  commit(): number
  close(): Promise<void>
}

/** Opens a database in WAL mode for one probe. A commit costs more after a pause than in a row, so it is timed where it is compared. */
export async function openCommitProbe(): Promise<CommitProbe> {
  const directory = await mkdtemp(join(tmpdir(), 'hermes-bench-'))
  const database = new Database(join(directory, 'commits.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('CREATE TABLE rows (body TEXT)')
  const insert = database.prepare('INSERT INTO rows (body) VALUES (?)')
  return {
    commit() {
      const begun = performance.now()
      insert.run(row)
      return performance.now() - begun
    },
    async close() {
      database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
