import { open, realpath } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Database } from 'better-sqlite3'
import type { WorkerSetup } from '../wire.js'
import type { Driver } from './connection.js'
import { ownerOnly, unless } from './database-file.js'
import { isBusy, locked } from './driver-failure.js'
import { lockTimeoutMs, withoutLock } from './lock-wait.js'
import { StoreRefusal } from './store-refusal.js'

/** How long an owner that is about to close is waited for: two that run must not be taken for a slow start. */
const longestWaitMs = 2000

/**
 * Makes this store the only one on its file until the result is closed; the system ends it, too, when the process dies. It is the lock of
 * an empty database beside the file, so that other programs may still read the file itself. That file stays: whoever removed it could take
 * it from under another one who just opened it. Throws a `StoreRefusal` when there is another owner.
 */
export async function becomeOwner(driver: Driver, { path, patienceMs }: WorkerSetup): Promise<Pick<Database, 'close'>> {
  const place = `${await realPathOf(path)}-owner`
  const created = await unless('EEXIST', open(place, 'wx', ownerOnly))
  await created?.close()
  const database = new driver(place, { timeout: lockTimeoutMs })
  try {
    await withoutLock(Math.min(patienceMs, longestWaitMs), () => {
      // Nothing is ever committed, so that no log need lie beside it.
      database.pragma('journal_mode = MEMORY')
      database.exec('BEGIN EXCLUSIVE')
    })
    return database
  } catch (error) {
    database.close()
    throw isBusy(error) ? new StoreRefusal(locked(path, place), { cause: error }) : error
  }
}

/** One file may have several names. */
async function realPathOf(path: string): Promise<string> {
  return (await unless('ENOENT', realpath(path))) ?? join(await realpath(dirname(path)), basename(path))
}
