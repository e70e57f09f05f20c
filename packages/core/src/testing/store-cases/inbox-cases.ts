import assert from 'node:assert/strict'
import { claim, event, queued, receive, route, unrouted } from './samples.js'
import type { StoreCase } from './store-case.js'

/** What is received, and what leaves without a turn. */
export const inboxCases: readonly StoreCase[] = [
  [
    'events are stored in the order in which they were given',
    async (store) => {
      const first = receive(store, 'e1', 'e2')
      const second = receive(store, 'e3')
      const seqs = [...(await first), ...(await second)]
      assert.deepEqual(
        seqs,
        seqs.toSorted((left, right) => left - right),
      )
      assert.deepEqual(await unrouted(store), ['e1', 'e2', 'e3'])
    },
  ],
  [
    'a known event is a duplicate, also within one call; another account is another event',
    async (store) => {
      await receive(store, 'e1')
      assert.deepEqual(
        (await receive(store, 'e1', 'e2', 'e2')).map((seq) => seq > 0),
        [false, true, false],
      )
      const [other] = await store.execute('inbox.receive', { adapter: 'test', account: 'other', events: [event('e1')], at: 1 })
      assert.equal(other?.receipt, 'stored')
    },
  ],
  [
    'a row that is routed or settled is not unrouted any more; pages follow each other',
    async (store) => {
      const [first = 0, second = 0] = await receive(store, 'e1', 'e2', 'e3', 'e4')
      await route(store, first)
      await store.execute('inbox.settle', { seq: second, reason: 'denied', at: 2 })
      assert.deepEqual(await unrouted(store, 0, 1), ['e3'])
      assert.deepEqual(await unrouted(store, second + 1), ['e4'])
    },
  ],
  [
    'settling leaves a row alone that is in a lane',
    async (store) => {
      const [seq = 0] = await queued(store, 'e1')
      await store.execute('inbox.settle', { seq, reason: 'denied', at: 2 })
      assert.deepEqual(
        (await claim(store)).items.map((item) => item.event.id),
        ['e1'],
      )
    },
  ],
]
