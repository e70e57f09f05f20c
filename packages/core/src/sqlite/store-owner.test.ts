import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { inFolder, piece } from './in-folder.js'
import { sqliteStore } from './index.js'

const builtDoor = pathToFileURL(join(dirname(createRequire(import.meta.url).resolve('#sqlite-worker')), 'index.js'))

/** A process that keeps the store open until it is killed. */
const keeper = `
import { sqliteStore } from ${JSON.stringify(builtDoor.href)}
const store = sqliteStore(process.argv[2])
await store.open()
process.on('message', () => {})
process.send('open')
`

async function keepOpenElsewhere(path: string): Promise<ChildProcess> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.keeper.mjs`, keeper)
  const child = fork(`${path}.keeper.mjs`, [path], { execArgv: [] })
  await once(child, 'message')
  return child
}

it('is refused while another store of the process has its file open, which goes on undisturbed', () =>
  inFolder(async (path, track) => {
    const first = track(sqliteStore(path))
    const second = track(sqliteStore({ path, patienceMs: 0 }))
    await first.open()
    await expect(second.open()).rejects.toMatchObject({
      code: 'store.locked',
      detail: { path },
      message: expect.stringMatching(/in use .* Stop the other one .* or give this one a file of its own/) as string,
    })
    await expect(first.execute('outbox.add', { rows: [piece('a')], at: 1 })).resolves.toHaveLength(1)
    await first.close()
    await second.open()
    expect(await second.execute('outbox.open', { after: 0, limit: 10 })).toMatchObject([{ key: 'a' }])
  }))

it('is refused while another process has its file open, and not a moment longer, even when that was killed', () =>
  inFolder(async (path, track) => {
    const child = await keepOpenElsewhere(path)
    const store = track(sqliteStore({ path, patienceMs: 0 }))
    await expect(store.open()).rejects.toMatchObject({ code: 'store.locked' })
    child.kill('SIGKILL')
    await once(child, 'exit')
    await store.open()
    expect(store.health().state).toBe('open')
  }))

it('is refused under another name of the same file', () =>
  inFolder(async (path, track) => {
    await track(sqliteStore(path)).open()
    await symlink(dirname(path), `${dirname(path)}.link`)
    await symlink(path, join(dirname(path), 'alias.db'))
    for (const other of [join(`${dirname(path)}.link`, 'hermes.db'), join(dirname(path), 'alias.db')])
      await expect(track(sqliteStore({ path: other, patienceMs: 0 })).open()).rejects.toMatchObject({ code: 'store.locked' })
  }))

it('waits for one that is about to close', () =>
  inFolder(async (path, track) => {
    const first = track(sqliteStore(path))
    const second = track(sqliteStore(path))
    await first.open()
    const opening = second.open()
    await first.close()
    await opening
    expect(second.health().state).toBe('open')
  }))

it('of two that make the file at the same moment is the one that has it; the other is refused', () =>
  inFolder(async (path, track) => {
    const stores = [1, 2].map(() => track(sqliteStore({ path, patienceMs: 0 })))
    const opened = await Promise.allSettled(stores.map((store) => store.open()))
    expect(opened.map((result) => (result.status === 'rejected' ? (result.reason as { code: string }).code : 'open')).toSorted()).toEqual([
      'open',
      'store.locked',
    ])
  }))

it('lets other programs read its file', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.execute('outbox.add', { rows: [piece('a')], at: 1 })
    const reader = new Database(path, { readonly: true })
    expect(reader.prepare('SELECT key FROM outbox').pluck().all()).toEqual(['a'])
    reader.close()
  }))
