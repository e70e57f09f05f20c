import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { writeFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { inFolder, piece } from './in-folder.js'
import { sqliteStore } from './index.js'

/** Holds the write lock until it is told to let go. */
const holder = `
const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('better-sqlite3'))})
const database = new Database(process.argv[2])
database.exec('BEGIN IMMEDIATE')
process.send('held')
process.once('message', () => { database.exec('ROLLBACK'); database.close(); process.disconnect() })
`

async function holdLock(path: string): Promise<{ release(): Promise<void> }> {
  await writeFile(`${path}.holder.cjs`, holder)
  const child = fork(`${path}.holder.cjs`, [path], { execArgv: [] })
  await once(child, 'message')
  return {
    async release() {
      child.send('release')
      await once(child, 'exit')
    },
  }
}

it('waits for a lock of another process while the event loop stays alive', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    const lock = await holdLock(path)
    let turns = 0
    const ticker = setInterval(() => ++turns === 20 && void lock.release(), 10)
    const added = await store.execute('outbox.add', { rows: [piece('a')], at: 1 })
    clearInterval(ticker)
    expect(added).toHaveLength(1)
    expect(turns).toBeGreaterThanOrEqual(15)
  }))

it('gives up when the lock is held for too long, says that the database is healthy, and goes on afterwards', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore({ path, patienceMs: 100 }))
    await store.open()
    const lock = await holdLock(path)
    const adding = store.execute('outbox.add', { rows: [piece('a')], at: 1 })
    await expect(adding).rejects.toMatchObject({ code: 'store.busy', message: expect.stringContaining('healthy') as string })
    await expect(store.execute('lane.ready', {})).resolves.toEqual([])
    await lock.release()
    await expect(store.execute('outbox.add', { rows: [piece('a')], at: 1 })).resolves.toHaveLength(1)
  }))

it('is refused while another process holds the lock for too long, and can be opened afterwards', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore({ path, patienceMs: 100 }))
    await store.open()
    await store.close()
    const lock = await holdLock(path)
    await expect(store.open()).rejects.toMatchObject({ code: 'store.busy', detail: { path } })
    await lock.release()
    await store.open()
    expect(store.health().state).toBe('open')
  }))
