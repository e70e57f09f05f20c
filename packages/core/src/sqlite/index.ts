// A path comes in; a durable store in one SQLite file goes out. Its driver, better-sqlite3, is an optional peer.

export { sqliteStore, type SqliteStoreOptions } from './sqlite-store.js'
