import type { StoreFailure } from '../wire.js'
import { StoreRefusal } from './store-refusal.js'

const fullCodes: ReadonlySet<string> = new Set(['SQLITE_FULL', 'SQLITE_IOERR_WRITE', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT', 'EROFS'])

/** The code of an error of SQLite (`SQLITE_BUSY_RECOVERY`) or of the system (`EACCES`). */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}

/** Another connection holds a lock: the same can be tried again. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error))
}

/** The file, the disk or the connection is at fault, so the whole transaction is lost, not one command. */
export function isWholeTransaction(error: unknown): boolean {
  return isBusy(error) || /^SQLITE_(FULL|IOERR|READONLY|CORRUPT|NOTADB|CANTOPEN|NOMEM|PROTOCOL)/.test(codeOf(error))
}

/** What is wrong with the file or its disk; `undefined` when the fault lies with a command. */
export function fileFailure(error: unknown, path: string): StoreFailure | undefined {
  if (error instanceof StoreRefusal) return error.failure
  const code = codeOf(error)
  const reason = error instanceof Error ? error.message : String(error)
  if (fullCodes.has(code) || code.startsWith('SQLITE_READONLY'))
    return {
      code: 'store.full',
      message: `The store ${path} cannot be written (${reason}). Free space or make it writable; it goes on by itself then.`,
      detail: { path, reason },
    }
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return corrupt(path, reason)
  if (/^SQLITE_(CANTOPEN|IOERR|NOMEM|PERM|AUTH|PROTOCOL)|^E[A-Z]+$/.test(code)) return unavailable(path, reason)
  return undefined
}

/** A damaged file. */
export function corrupt(path: string, problem: string): StoreFailure {
  const message = `The store ${path} is damaged (${problem}). It was left as it is: restore a backup, or move it away with its -wal and -shm to begin anew.`
  return { code: 'store.corrupt', message, detail: { path, problem } }
}

/** A file that cannot be used. */
export function unavailable(path: string, reason: string): StoreFailure {
  const message = `The store ${path} cannot be opened: ${reason}. Check the path and its permissions.`
  return { code: 'store.unavailable', message, detail: { path, reason } }
}

/** A lock that was held for longer than anybody wants to wait. */
export function busy(path: string, waitedMs: number): StoreFailure {
  const message = `Another process held the lock of ${path} for ${Math.round(waitedMs / 1000)} s, so the command was not run. The database is healthy: find the process that writes to it, or try again.`
  return { code: 'store.busy', message, detail: { path, waitedMs } }
}

/** A store that somebody else has open; `place` is the file whose lock says so. */
export function locked(path: string, place: string): StoreFailure {
  const who = 'by a process that runs, or by another store of this one'
  const cure = `Stop the other one (on Unix, fuser ${place} names its process), or give this one a file of its own.`
  const message = `The store ${path} is in use ${who}. It serves one gateway at a time: a second one would run turns twice. ${cure}`
  return { code: 'store.locked', message, detail: { path } }
}

/** A command that could not be run. */
export function failed(command: string, error: unknown): StoreFailure {
  const reason = error instanceof Error ? error.message : String(error)
  return { code: 'store.failed', message: `The store could not run ${command}: ${reason}. Nothing was changed.`, detail: { command, reason } }
}
