import assert from 'node:assert/strict'
import type { DocumentWrite, StateStore } from '../../store/index.js'
import { forget } from './samples.js'
import type { StoreCase } from './store-case.js'

const mine = { plugin: 'mine', collection: 'notes' }

function write(store: StateStore, writes: readonly DocumentWrite[], more: { collection?: string; plugin?: string; at?: number } = {}) {
  return store.execute('collection.write', { ...mine, at: 1, ...more, writes })
}

function get(store: StateStore, key: string, more: { collection?: string; plugin?: string; at?: number } = {}) {
  return store.execute('collection.get', { ...mine, at: 1, ...more, key })
}

async function keys(store: StateStore, range: { prefix?: string; after?: string; limit?: number; at?: number } = {}): Promise<string[]> {
  const rows = await store.execute('collection.list', { ...mine, prefix: '', limit: 100, at: 1, ...range })
  return rows.map(({ key }) => key)
}

/** The version that was written, of one write. */
async function versionOf(written: ReturnType<typeof write>): Promise<number> {
  const result = await written
  assert.ok(result.outcome === 'written')
  return result.versions[0] ?? 0
}

/** What plugins keep. */
export const collectionCases: readonly StoreCase[] = [
  [
    'a value is kept with its version, also by the next process',
    async (store, under) => {
      const version = await versionOf(write(store, [{ key: 'a', value: '{"x":1}' }]))
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await get(again, 'a'), { key: 'a', value: '{"x":1}', version })
      assert.equal(await get(again, 'b'), undefined)
    },
  ],
  [
    'collections of other names and other plugins are others',
    async (store) => {
      await write(store, [{ key: 'a', value: '1' }])
      assert.equal(await get(store, 'a', { plugin: 'yours' }), undefined)
      assert.equal(await get(store, 'a', { collection: 'others' }), undefined)
      await write(store, [{ key: 'a', value: '2' }], { plugin: 'yours' })
      assert.equal((await get(store, 'a'))?.value, '1')
    },
  ],
  [
    'who writes over another version, or where something is, changes nothing',
    async (store) => {
      const first = await versionOf(write(store, [{ key: 'a', value: '1', ifVersion: 'absent' }]))
      assert.deepEqual(await write(store, [{ key: 'a', value: '2', ifVersion: 'absent' }]), { outcome: 'conflict' })
      const second = await versionOf(write(store, [{ key: 'a', value: '2', ifVersion: first }]))
      assert.ok(second > first)
      assert.deepEqual(await write(store, [{ key: 'a', value: '3', ifVersion: first }]), { outcome: 'conflict' })
      assert.deepEqual(await write(store, [{ key: 'b', value: '3', ifVersion: first }]), { outcome: 'conflict' })
      assert.equal((await get(store, 'a'))?.value, '2')
    },
  ],
  [
    'a version never comes again, also behind a deletion',
    async (store, under) => {
      const first = await versionOf(write(store, [{ key: 'a', value: '1' }]))
      assert.equal(await versionOf(write(store, [{ key: 'a', ifVersion: first }])), first)
      assert.equal(await versionOf(write(store, [{ key: 'a' }])), 0)
      const again = under.reopen ? await under.reopen() : store
      assert.ok((await versionOf(write(again, [{ key: 'a', value: '1' }]))) > first)
    },
  ],
  [
    'writes of one call are all done, or none',
    async (store) => {
      await write(store, [
        { key: 'a', value: '1' },
        { key: 'b', value: '1' },
      ])
      const refused = await write(store, [{ key: 'a' }, { key: 'c', value: '2' }, { key: 'b', value: '2', ifVersion: 'absent' }])
      assert.deepEqual(refused, { outcome: 'conflict' })
      assert.deepEqual(await keys(store), ['a', 'b'])
      await write(store, [{ key: 'a' }, { key: 'c', value: '2' }])
      assert.deepEqual(await keys(store), ['b', 'c'])
    },
  ],
  [
    'keys are listed by code point: those of a prefix, behind a key, up to a limit',
    async (store) => {
      const all = ['b', 'a', 'ab', 'a%', 'a\u{1F600}', 'a\uFFFD', 'A', 'a_']
      await write(
        store,
        all.map((key) => ({ key, value: '1' })),
      )
      assert.deepEqual(await keys(store), ['A', 'a', 'a%', 'a_', 'ab', 'a\uFFFD', 'a\u{1F600}', 'b'])
      assert.deepEqual(await keys(store, { prefix: 'a' }), ['a', 'a%', 'a_', 'ab', 'a\uFFFD', 'a\u{1F600}'])
      assert.deepEqual(await keys(store, { prefix: 'a', after: 'a%', limit: 2 }), ['a_', 'ab'])
      assert.deepEqual(await keys(store, { prefix: 'a%' }), ['a%'])
    },
  ],
  [
    'what has expired is not there, makes room, and is forgotten',
    async (store) => {
      await write(store, [{ key: 'a', value: '1', expiresAt: 10 }])
      assert.equal((await get(store, 'a', { at: 9 }))?.value, '1')
      assert.equal(await get(store, 'a', { at: 10 }), undefined)
      assert.deepEqual([await keys(store, { at: 9 }), await keys(store, { at: 10 })], [['a'], []])
      assert.equal((await write(store, [{ key: 'a', value: '2', ifVersion: 'absent', expiresAt: 20 }], { at: 10 })).outcome, 'written')
      assert.equal(await forget(store, 20), 0)
      assert.equal(await forget(store, 21), 1)
      assert.equal(await get(store, 'a', { at: 9 }), undefined)
    },
  ],
]
