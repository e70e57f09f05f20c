import { execFile } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Worker } from 'node:worker_threads'
import { expect, it, type TestContext } from 'vitest'
import { inFolder, piece } from './in-folder.js'
import { sqliteStore } from './index.js'
import { SqliteStore } from './sqlite-store.js'

const run = promisify(execFile)
const workerFile = createRequire(import.meta.url).resolve('#sqlite-worker')

/** Starts a worker and prints the first thing that it says. */
const firstWord = `
const { Worker } = require('node:worker_threads')
const [file, path] = process.argv.slice(1)
const worker = new Worker(file, { workerData: { path, patienceMs: 100 } })
worker.once('message', (message) => { console.log(JSON.stringify(message)); worker.postMessage({ type: 'close' }) })
`

/** What a worker says that runs as a user without any rights. */
async function asNobody(context: TestContext, path: string): Promise<unknown> {
  if (process.getuid?.() !== 0) context.skip('only root can start a process as another user')
  await chmod(dirname(dirname(path)), 0o755)
  const who = ['--reuid', '65534', '--regid', '65534', '--clear-groups']
  const { stdout } = await run('setpriv', [...who, process.execPath, '-e', firstWord, workerFile, path])
  return JSON.parse(stdout) as unknown
}

/** A store whose worker gets what `source` exports where it looks for its driver; `real` is the driver that is there. */
async function withDriver(path: string, source: string): Promise<SqliteStore> {
  const hook = join(dirname(dirname(path)), 'hook.cjs')
  await writeFile(
    hook,
    `const Module = require('node:module')
    const load = Module._load
    Module._load = (name, ...others) => {
      const real = load(name, ...others)
      if (name !== 'better-sqlite3') return real
      ${source}
    }`,
  )
  return new SqliteStore({ path }, (setup) => new Worker(workerFile, { workerData: setup, execArgv: ['--require', hook] }))
}

const refused = (path: string) => ({ type: 'refused', failure: { code: 'store.unavailable', detail: { path } } })

it('refuses a file that it may read but not write', (context) =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.close()
    await chmod(dirname(path), 0o777)
    await chmod(path, 0o444)
    expect(await asNobody(context, path)).toMatchObject(refused(path))
  }))

it('refuses a file of another user', (context) =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.close()
    expect(await asNobody(context, path)).toMatchObject(refused(path))
  }))

it('refuses a folder in which it may not write', (context) =>
  inFolder(async (path) => {
    await mkdir(dirname(path), { mode: 0o755 })
    expect(await asNobody(context, path)).toMatchObject(refused(path))
  }))

it('says what to install when its driver is missing', () =>
  inFolder(async (path, track) => {
    const missing = `throw new Error("Cannot find module 'better-sqlite3'")`
    await expect(track(await withDriver(path, missing)).open()).rejects.toMatchObject({
      code: 'store.unavailable',
      message: expect.stringContaining('npm install better-sqlite3') as string,
    })
  }))

it('refuses a file system that takes no write-ahead log', () =>
  inFolder(async (path, track) => {
    const refusing = `return class extends real {
      pragma(source, options) { return source === 'journal_mode = WAL' ? 'delete' : super.pragma(source, options) }
    }`
    await expect(track(await withDriver(path, refusing)).open()).rejects.toMatchObject({
      code: 'store.unavailable',
      message: expect.stringContaining('write-ahead log') as string,
    })
  }))

it('says that the disk is full, and goes on when there is space again', (context) =>
  inFolder(async (path, track) => {
    await mkdir(dirname(path))
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dirname(path)]).catch((error: Error) => error)
    if (mounted instanceof Error) return context.skip(`a small disk cannot be mounted here: ${mounted.message}`)
    try {
      const store = track(sqliteStore(path))
      await store.open()
      const text = 'x'.repeat(100_000)
      const add = (key: string) => store.execute('outbox.add', { rows: [{ ...piece(key), message: { text, format: 'plain' } }], at: 1 }, { id: key })
      await writeFile(`${path}.filler`, 'x'.repeat(400_000))
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => add(`key-${index}`)))
      expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'store.full', detail: { path } } })
      await writeFile(`${path}.filler`, '')
      await expect(add('key-0')).resolves.toHaveLength(1)
      await store.close()
    } finally {
      await run('umount', [dirname(path)])
    }
  }))
