import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { appliedMemoryMs } from '../store/index.js'
import { FakeClock } from '../testing/index.js'
import { inFolder, piece } from './in-folder.js'
import { SqliteStore } from './sqlite-store.js'
import { startBuiltWorker } from './store-thread.js'

function observed(path: string): { store: SqliteStore; workers: Worker[]; clock: FakeClock } {
  const workers: Worker[] = []
  const clock = new FakeClock()
  const store = new SqliteStore({ path, clock }, (setup) => {
    const worker = startBuiltWorker(setup)
    workers.push(worker)
    return worker
  })
  return { store, workers, clock }
}

// state 9
it('applies each command once when its worker is killed in the middle of them', () =>
  inFolder(async (path, track) => {
    const { store, workers } = observed(path)
    track(store)
    await store.open()
    const keys = Array.from({ length: 900 }, (_, index) => `key-${index}`)
    const adding = keys.map((key) => store.execute('outbox.add', { rows: [piece(key)], at: 1 }))
    await adding[0]
    await workers[0]?.terminate()
    const added = await Promise.all(adding)
    expect(added.flat().map((row) => row.key)).toEqual(keys)
    expect((await store.execute('outbox.open', { after: 0, limit: 1000 })).map((row) => row.key)).toEqual(keys)
    expect(store.health()).toMatchObject({ state: 'open', restarts: 1, waiting: 0 })
  }))

it('is served by a new worker when an idle one is lost', () =>
  inFolder(async (path, track) => {
    const { store, workers } = observed(path)
    track(store)
    await store.open()
    await workers[0]?.terminate()
    expect(store.health().state).toBe('failing')
    await expect(store.execute('lane.ready', {})).resolves.toEqual([])
    expect(store.health().state).toBe('open')
  }))

it('gives commands up whose workers die again and again, and goes on after a minute', () =>
  inFolder(async (path, track) => {
    const { store, workers, clock } = observed(path)
    track(store)
    await store.open()
    for (let lost = 0; lost < 5; lost++) {
      await workers.at(-1)?.terminate()
      await store.execute('lane.ready', {})
    }
    await workers.at(-1)?.terminate()
    const adding = store.execute('outbox.add', { rows: [piece('a')], at: 1 }, { id: 'x' })
    await expect(adding).rejects.toMatchObject({ code: 'store.unsettled', detail: { command: 'outbox.add', id: 'x' } })
    await clock.advance(60_000)
    await expect(store.execute('outbox.add', { rows: [piece('a')], at: 1 }, { id: 'x' })).resolves.toHaveLength(1)
  }))

it('remembers what a lost worker applied, however long it was away', () =>
  inFolder(async (path, track) => {
    const { store, workers, clock } = observed(path)
    track(store)
    await store.open()
    const add = (key: string) => store.execute('outbox.add', { rows: [piece(key)], at: 1 }, { id: key })
    const first = await add('a')
    await workers[0]?.terminate()
    await clock.advance(10 * appliedMemoryMs)
    await add('b')
    await expect(add('a')).resolves.toEqual(first)
  }))

it('forgets in time what was applied', () =>
  inFolder(async (path, track) => {
    const { store, clock } = observed(path)
    track(store)
    await store.open()
    const add = (key: string) => store.execute('outbox.add', { rows: [piece(key)], at: 1 }, { id: key })
    const first = await add('a')
    await clock.advance(appliedMemoryMs)
    await add('b')
    await expect(add('a')).resolves.toEqual(first)
    await clock.advance(1)
    await add('c')
    await expect(add('a')).rejects.toMatchObject({ code: 'store.failed' })
  }))
