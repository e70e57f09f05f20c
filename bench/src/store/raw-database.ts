import Database from 'better-sqlite3'
import { sampleEvent } from './sample-event.js'
import type { EventStore } from './store-bench.js'

/** What one writes with better-sqlite3 alone: a table with the events, each in a commit of its own, on the thread of the caller. */
export async function rawDatabase(path: string): Promise<EventStore> {
  const database = new Database(path)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec('CREATE TABLE IF NOT EXISTS events (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, event TEXT NOT NULL)')
  const insert = database.prepare('INSERT INTO events (id, event) VALUES (?, ?) ON CONFLICT DO NOTHING')
  const receive = (id: string): void => void insert.run(id, JSON.stringify(sampleEvent(id)))
  return {
    receive: async (id) => receive(id),
    receiveAll: async (ids) => ids.forEach(receive),
    close: async () => void database.close(),
  }
}
