import assert from 'node:assert/strict'
import { add, begun, claim, commit, eventsOf, end, forget, idsOf, message, openKeys, openPieces, piece, queued, receive, sent } from './samples.js'
import type { StoreCase } from './store-case.js'

/** What is forgotten, and what never is. */
export const forgetCases: readonly StoreCase[] = [
  [
    'settled rows are duplicates until they are forgotten; unsettled ones are never forgotten',
    async (store) => {
      const [settled = 0] = await receive(store, 'e1', 'e2')
      await store.execute('inbox.settle', { seq: settled, reason: 'denied', at: 2 })
      assert.equal(await forget(store, 1), 0)
      assert.deepEqual(await receive(store, 'e1'), [0])
      assert.equal(await forget(store, 2), 1)
      const [again = 0, kept] = await receive(store, 'e1', 'e2')
      assert.ok(again > 0)
      assert.equal(kept, 0)
    },
  ],
  [
    'pieces are forgotten when they are final for long enough, and never before',
    async (store) => {
      await add(store, piece('sent'), piece('dropped'), piece('held'), piece('open'))
      for (const state of ['sent', 'dropped', 'held'] as const) await store.execute('outbox.settle', { key: state, state, outcome: sent, at: 7 })
      assert.equal(await forget(store, 7), 0)
      assert.equal(await forget(store, 8), 2)
      await store.execute('outbox.postpone', { key: 'held', dueAt: 9, outcome: sent, at: 8 })
      assert.deepEqual(await openKeys(store), ['held', 'open'])
    },
  ],
  [
    'a piece stands behind those that are forgotten',
    async (store) => {
      const [forgotten] = await add(store, piece('a'))
      await store.execute('outbox.settle', { key: 'a', state: 'sent', outcome: sent, at: 7 })
      await forget(store, 8)
      await add(store, piece('b'))
      assert.deepEqual(await openKeys(store, { after: forgotten?.seq ?? 0 }), ['b'])
    },
  ],
  [
    'a call forgets no more than its limit of a kind, and fewer when nothing is left',
    async (store) => {
      const keys = ['a', 'b', 'c', 'd', 'e']
      await add(store, ...keys.map((key) => piece(key)))
      for (const key of keys) await store.execute('outbox.settle', { key, state: 'sent', outcome: sent, at: 7 })
      assert.deepEqual([await forget(store, 8, 2), await forget(store, 8, 2), await forget(store, 8, 2)], [2, 2, 1])
    },
  ],
  [
    'open turns, waiting rows and transcripts are never forgotten',
    async (store) => {
      const { epoch } = await begun(store)
      await commit(store, epoch, [message('user', 'm1')])
      await forget(store, 99)
      assert.equal((await end(store, epoch, { outbox: [piece('answer')] })).outcome, 'stored')
      await queued(store, 'e2')
      await forget(store, 99)
      const next = await claim(store, 't2')
      assert.deepEqual(idsOf(next), ['m1'])
      assert.deepEqual(
        eventsOf(next).map(({ id }) => id),
        ['e2'],
      )
      assert.deepEqual(
        (await openPieces(store)).map((row) => row.key),
        ['answer'],
      )
    },
  ],
]
