import { createRequire } from 'node:module'
import type { FromWorker, WorkerSetup } from '../wire.js'
import { Connection, type Driver } from './connection.js'
import { hasHeader, moveAside, prepareDirectory, prepareFile } from './database-file.js'
import { busy, codeOf, corrupt, fileFailure, isBusy, unavailable } from './driver-failure.js'
import { lockTimeoutMs, withoutLock } from './lock-wait.js'
import { migrate } from './migrate.js'
import { becomeOwner } from './store-owner.js'
import { StoreRefusal } from './store-refusal.js'

type MovedAside = Extract<FromWorker, { type: 'moved-aside' }>

/** A database that is open for its only store. */
export interface OpenDatabase {
  readonly connection: Connection
  /** From now on another store may open it. */
  close(): void
}

/** A database has at least one page. SQLite itself takes a shorter file for a new one and would write over it. */
const smallestPage = 512

/**
 * Opens the file of a store, makes it if it is missing, and brings it up to date. `report` hears of a file that was no database and
 * was moved aside. Throws a `StoreRefusal` that says what a person can do.
 */
export async function openDatabase(setup: WorkerSetup, report: (notice: MovedAside) => void): Promise<OpenDatabase> {
  const { path } = setup
  try {
    const driver = loadDriver(path)
    await prepareDirectory(path)
    const owner = await becomeOwner(driver, setup)
    const connection = await connectAnyway(driver, setup, report).catch((error: unknown) => {
      owner.close()
      throw error
    })
    return {
      connection,
      close() {
        connection.close()
        owner.close()
      },
    }
  } catch (error) {
    const failure = isBusy(error) ? busy(path, setup.patienceMs) : (fileFailure(error, path) ?? unavailable(path, String(error)))
    throw new StoreRefusal(failure, { cause: error })
  }
}

function loadDriver(path: string): Driver {
  try {
    return createRequire(import.meta.url)('better-sqlite3') as Driver
  } catch (error) {
    const [problem] = (error instanceof Error ? error.message : String(error)).split('\n')
    const reason = `the package better-sqlite3 cannot be loaded (${problem})`
    const cure = 'Install it beside @hermes/core with npm install better-sqlite3@12, or build it with npm rebuild better-sqlite3'
    const message = `The store ${path} cannot be opened: ${reason}. ${cure}`
    throw new StoreRefusal({ code: 'store.unavailable', message, detail: { path, reason } }, { cause: error })
  }
}

/** Where the file is no database, one is made in its place. */
async function connectAnyway(driver: Driver, setup: WorkerSetup, report: (notice: MovedAside) => void): Promise<Connection> {
  const { path } = setup
  const bytes = await prepareFile(path)
  if (bytes !== undefined && bytes < smallestPage) await beginAnew(path, `it has only ${bytes} bytes`, report)
  return connect(driver, setup).catch(async (error: unknown) => {
    if (codeOf(error) !== 'SQLITE_NOTADB' || (await hasHeader(path))) throw error
    await beginAnew(path, 'it does not begin as a database does', report)
    return connect(driver, setup)
  })
}

async function beginAnew(path: string, reason: string, report: (notice: MovedAside) => void): Promise<void> {
  const place = await moveAside(path)
  report({ type: 'moved-aside', path, place, reason })
  await prepareFile(path)
}

async function connect(driver: Driver, { path, patienceMs }: WorkerSetup): Promise<Connection> {
  const connection = new Connection(new driver(path, { timeout: lockTimeoutMs }))
  try {
    await withoutLock(patienceMs, () => {
      checkPages(connection, path)
      writeAhead(connection, path)
      connection.pragma(`journal_size_limit = ${64 * 1024 * 1024}`)
      // Without it, macOS lets the disk keep a commit in its cache.
      connection.pragma('fullfsync = 1')
      // A schema that a power failure takes back is made again; the first full commit puts it on disk with everything behind it.
      connection.setSynchronous('NORMAL')
      migrate(connection, path)
    })
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

/** A file system without shared memory refuses it with another answer, not with an error. */
function writeAhead(connection: Connection, path: string): void {
  const mode = connection.pragma('journal_mode = WAL')
  if (mode === 'wal') return
  const reason = `its file system does not take a write-ahead log (journal_mode stays ${String(mode)}); put it on a local disk`
  throw new StoreRefusal(unavailable(path, reason))
}

/** Before anything is written: a damaged file must stay as it is. */
function checkPages(connection: Connection, path: string): void {
  const verdict = connection.pragma('quick_check(1)')
  if (verdict !== 'ok') throw new StoreRefusal(corrupt(path, String(verdict)))
}
