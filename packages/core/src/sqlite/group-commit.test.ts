import { expect, it } from 'vitest'
import { inFolder, piece } from './in-folder.js'
import { sqliteStore } from './index.js'

// state 7
it('stores 500 commands that are given at once in their order, with at most a tenth as many commits', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    const keys = Array.from({ length: 500 }, (_, index) => `key-${index}`)
    const added = await Promise.all(keys.map((key) => store.execute('outbox.add', { rows: [piece(key)], at: 1 })))
    const seqs = added.flat().map((row) => row.seq)
    expect(seqs).toEqual(seqs.toSorted((left, right) => left - right))
    expect(store.health().commits).toBeLessThanOrEqual(50)
    expect((await store.execute('outbox.open', { after: 0, limit: 1000 })).map((row) => row.key)).toEqual(keys)
  }))

it('reads what was written before', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    const adding = store.execute('outbox.add', { rows: [piece('a')], at: 1 })
    const open = await store.execute('outbox.open', { after: 0, limit: 10 })
    expect(open).toEqual(await adding)
  }))

it('refuses the 1025th command that waits, and takes the next ones when there is room', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    const waiting = Array.from({ length: 1024 }, () => store.execute('lane.ready', {}))
    await expect(store.execute('lane.ready', {})).rejects.toMatchObject({ code: 'store.overloaded', detail: { waiting: 1024 } })
    expect(store.health().waiting).toBe(1024)
    await Promise.all(waiting)
    await expect(store.execute('lane.ready', {})).resolves.toEqual([])
  }))

it('refuses commands before it is opened', () =>
  inFolder(async (path, track) => {
    await expect(track(sqliteStore(path)).execute('lane.ready', {})).rejects.toMatchObject({ code: 'stopped' })
  }))

it('finishes what was given before it closes', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    const adding = Array.from({ length: 300 }, (_, index) => store.execute('outbox.add', { rows: [piece(`key-${index}`)], at: 1 }))
    await store.close()
    expect((await Promise.allSettled(adding)).every((result) => result.status === 'fulfilled')).toBe(true)
    await store.open()
    expect(await store.execute('outbox.open', { after: 0, limit: 1000 })).toHaveLength(300)
  }))

it('leaves no handle when it is closed, also when the close comes before the open is done', () =>
  inFolder(async (path, track) => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker').length
    const store = track(sqliteStore(path))
    const opening = store.open()
    await store.close()
    await opening
    expect(store.health().state).toBe('closed')
    await store.open()
    await store.execute('lane.ready', {})
    await store.close()
    expect(process.getActiveResourcesInfo().filter((name) => name === 'MessagePort' || name === 'Worker')).toHaveLength(before)
  }))
