import { constants } from 'node:fs'
import { access, chmod, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeDirectory } from '../../kernel/index.js'
import { codeOf, unavailable } from './driver-failure.js'
import { StoreRefusal } from './store-refusal.js'

/** The mode of every file of a store. */
export const ownerOnly = 0o600
const header = 'SQLite format 3\0'
/** The database and what SQLite lays beside it. */
const endings = ['', '-wal', '-shm', '-journal'] as const

/** Makes the directory of the file where it is missing. Rejects where no file can be made in it. */
export async function prepareDirectory(path: string): Promise<void> {
  await makeDirectory(dirname(path))
  await access(dirname(path), constants.R_OK | constants.W_OK | constants.X_OK)
}

/**
 * Makes the file, readable for its owner only, or answers how many bytes the file has that stands there. It is not opened for that: the
 * close of any descriptor would drop the locks that this process holds on it.
 */
export async function prepareFile(path: string): Promise<number | undefined> {
  const present = await unless('ENOENT', stat(path))
  if (!present) {
    const created = await unless('EEXIST', open(path, 'wx', ownerOnly))
    await created?.close()
    return undefined
  }
  if (!present.isFile()) throw new StoreRefusal(unavailable(path, 'it is not a file'))
  await access(path, constants.R_OK | constants.W_OK)
  for (const ending of endings) await unless('ENOENT', chmod(path + ending, ownerOnly))
  return present.size
}

/** Does the file begin as a database does? Only for a file that SQLite refused: it is opened and closed. */
export async function hasHeader(path: string): Promise<boolean> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(header.length), position: 0 })
    return buffer.toString('latin1', 0, bytesRead) === header
  } finally {
    await file.close()
  }
}

/** Renames a file and its sidecars: an old log must not be played into a new database. Answers where it lies now. */
export async function moveAside(path: string): Promise<string> {
  const place = `${path}.bad-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`
  for (const ending of endings) await unless('ENOENT', rename(path + ending, place + ending))
  return place
}

/** The result, or nothing where the operation fails with the expected code. */
export async function unless<T>(expected: string, operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation
  } catch (error) {
    if (codeOf(error) === expected) return undefined
    throw error
  }
}
