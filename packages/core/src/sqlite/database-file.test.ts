import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { inFolder, piece } from './in-folder.js'
import { sqliteStore } from './index.js'

const nobody = { debug() {}, info() {}, warn() {}, error() {} }

async function modes(path: string): Promise<Record<string, string>> {
  const names = await readdir(dirname(path))
  const entries = names.map(async (name) => [name, ((await stat(join(dirname(path), name))).mode & 0o777).toString(8)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

// state 1
it('makes a file in WAL mode that only its owner may read, with its sidecars, under umask 022', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.execute('outbox.add', { rows: [piece('a')], at: 1 })
    expect(process.umask()).toBe(0o022)
    expect(await modes(path)).toEqual({ 'hermes.db': '600', 'hermes.db-owner': '600', 'hermes.db-wal': '600', 'hermes.db-shm': '600' })
    await store.close()
    const database = new Database(path, { readonly: true })
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
    database.close()
  }))

// state 2
it.each([
  ['is empty', ''],
  ['is too short for a header', 'x'],
  ['is no database', 'no database at all, but quite a long text\n'.repeat(100)],
])('moves a file aside that %s, says where, and begins anew', (_, content) =>
  inFolder(async (path, track) => {
    await mkdir(dirname(path))
    await writeFile(path, content)
    await writeFile(`${path}-wal`, 'old log')
    const errors: string[] = []
    const store = track(sqliteStore({ path, logger: { ...nobody, error: (_fields, message) => void errors.push(message) } }))
    await store.open()
    const aside = (await readdir(dirname(path))).find((name) => name.includes('.bad-') && !name.endsWith('-wal')) ?? ''
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(join(dirname(path), aside))
    expect(await readFile(join(dirname(path), aside), 'utf8')).toBe(content)
    expect(await store.execute('lane.ready', {})).toEqual([])
  }),
)

// state 3
it('adds columns that an older file lacks, and keeps its rows', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.execute('outbox.add', { rows: [piece('a')], at: 1 })
    await store.close()
    const older = new Database(path)
    for (const column of ['refusals', 'outcome', 'lane']) older.exec(`ALTER TABLE outbox DROP COLUMN ${column}`)
    older.pragma('user_version = 0')
    older.close()
    await store.open()
    expect(await store.execute('outbox.open', { after: 0, limit: 10 })).toMatchObject([{ key: 'a', refusals: 0 }])
    await store.close()
    const newer = new Database(path, { readonly: true })
    expect(newer.pragma('user_version', { simple: true })).toBe(1)
    newer.close()
  }))

it('leaves a damaged database as it is, and says so', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.execute('outbox.add', { rows: Array.from({ length: 200 }, (_, index) => piece(`key-${index}`)), at: 1 })
    await store.close()
    const content = await readFile(path)
    content.fill(0xff, 3 * 4096, 20 * 4096)
    await writeFile(path, content)
    await expect(store.open()).rejects.toMatchObject({ code: 'store.corrupt', detail: { path } })
    expect((await readFile(path)).equals(content)).toBe(true)
    expect(await readdir(dirname(path))).toContain(basename(path))
  }))

it('refuses a database that was cut off', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.close()
    await truncate(path, 3 * 4096)
    await expect(store.open()).rejects.toMatchObject({ code: 'store.corrupt' })
  }))

it('refuses a database of a newer version', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    await store.close()
    const database = new Database(path)
    database.pragma('user_version = 99')
    database.close()
    await expect(store.open()).rejects.toMatchObject({ code: 'store.newer', detail: { path, version: 99, supported: 1 } })
  }))

it('refuses a database of another program', () =>
  inFolder(async (path, track) => {
    await mkdir(dirname(path))
    const database = new Database(path)
    database.exec('CREATE TABLE theirs (x)')
    database.close()
    await expect(track(sqliteStore(path)).open()).rejects.toMatchObject({ code: 'store.unavailable' })
  }))

it.each([
  ['a folder', (path: string) => mkdir(path, { recursive: true })],
  ['below a file', (path: string) => writeFile(dirname(path), '')],
])('refuses a path that is %s', (_, prepare) =>
  inFolder(async (path, track) => {
    await prepare(path)
    await expect(track(sqliteStore(path)).open()).rejects.toMatchObject({ code: 'store.unavailable', detail: { path } })
  }),
)

it('refuses a path where no directory can be made', () =>
  inFolder(async (_path, track) => {
    const path = '/proc/nowhere/hermes.db'
    await expect(track(sqliteStore(path)).open()).rejects.toMatchObject({ code: 'store.unavailable', detail: { path } })
  }))

it('makes every directory that is missing', () =>
  inFolder(async (path, track) => {
    const deep = join(dirname(path), 'one', 'two', 'hermes.db')
    await track(sqliteStore(deep)).open()
    expect((await stat(deep)).isFile()).toBe(true)
  }))

it('names a directory beside its file, and leaves the making of it to others', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(relative(process.cwd(), path)))
    await store.open()
    expect(store.directory).toBe(`${path}.files`)
    expect(await readdir(dirname(path))).not.toContain('hermes.db.files')
  }))

it('can be opened after it was refused', () =>
  inFolder(async (path, track) => {
    await writeFile(dirname(path), '')
    const store = track(sqliteStore(path))
    await expect(store.open()).rejects.toThrow(path)
    const elsewhere = track(sqliteStore(`${dirname(path)}.other/hermes.db`))
    await elsewhere.open()
    await expect(elsewhere.execute('lane.ready', {})).resolves.toEqual([])
  }))
