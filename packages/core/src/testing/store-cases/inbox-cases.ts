import assert from 'node:assert/strict'
import { answered, claim, eventsOf, codeOf, event, laneRoute, queued, receive, receiveAll, route, unrouted } from './samples.js'
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
      const [other] = await store.execute('inbox.receive', { adapter: 'test', account: 'other', events: [{ event: event('e1') }], at: 1 })
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
    'an event with a route waits in its lane at once, behind those before it; one without stays unrouted',
    async (store) => {
      await queued(store, 'e1')
      const receipts = await receiveAll(store, { event: event('e2'), route: laneRoute({ conversation: 'c2' }) }, { event: event('e3') })
      assert.deepEqual(
        receipts.map((each) => each.receipt === 'stored' && each.conversation),
        ['c1', undefined],
      )
      assert.deepEqual(await unrouted(store), ['e3'])
      assert.deepEqual(await store.execute('lane.ready', {}), ['c1'])
      assert.deepEqual(await answered(store, 'c1'), ['e1', 'e2'])
    },
  ],
  [
    'events of one call that are the first of their session begin one conversation each session',
    async (store) => {
      const routes = ['a', 'b', 'a'].map((key, index) => laneRoute({ key, conversation: `c${index}` }))
      const receipts = await receiveAll(store, ...routes.map((each, index) => ({ event: event(`e${index}`), route: each })))
      assert.deepEqual(
        receipts.map((each) => each.receipt === 'stored' && each.conversation),
        ['c0', 'c1', 'c0'],
      )
      assert.deepEqual(await answered(store, 'c0'), ['e0', 'e2'])
    },
  ],
  [
    'a duplicate is not routed and changes no session',
    async (store) => {
      await receive(store, 'e1')
      const receipts = await receiveAll(store, { event: event('e1'), route: laneRoute() })
      assert.deepEqual(receipts, [{ receipt: 'duplicate' }])
      assert.deepEqual(await unrouted(store), ['e1'])
      assert.equal(await store.execute('session.get', { key: 'k' }), undefined)
    },
  ],
  [
    'what finds its lane full stays unrouted, and so does all of its key behind it: nothing overtakes it',
    async (store) => {
      const routes = [laneRoute({ limit: 1 }), laneRoute({ limit: 1 }), laneRoute(), laneRoute({ key: 'other', conversation: 'c2' })]
      const receipts = await receiveAll(store, ...routes.map((each, index) => ({ event: event(`e${index}`), route: each })))
      assert.deepEqual(
        receipts.map((each) => each.receipt === 'stored' && each.conversation),
        ['c1', undefined, undefined, 'c2'],
      )
      assert.deepEqual(await unrouted(store), ['e1', 'e2'])
    },
  ],
  [
    'where one event cannot be routed, none of the call is stored',
    async (store) => {
      await queued(store, 'e1')
      const taken = { event: event('e3'), route: laneRoute({ key: 'other' }) }
      await assert.rejects(receiveAll(store, { event: event('e2') }, taken), codeOf('store.failed'))
      assert.deepEqual(await unrouted(store), [])
      assert.equal(await store.execute('session.get', { key: 'other' }), undefined)
    },
  ],
  [
    'a receipt that is asked for again says the same, and the event waits once',
    async (store, under) => {
      const args = { adapter: 'test', account: 'bot', events: [{ event: event('e1'), route: laneRoute() }], at: 1 }
      const first = await store.execute('inbox.receive', args, { id: 'x' })
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await again.execute('inbox.receive', args, { id: 'x' }), first)
      assert.equal((await again.execute('session.get', { key: 'k' }))?.lane.waiting, 1)
    },
  ],
  [
    'settling leaves a row alone that is in a lane',
    async (store) => {
      const [seq = 0] = await queued(store, 'e1')
      await store.execute('inbox.settle', { seq, reason: 'denied', at: 2 })
      assert.deepEqual(
        eventsOf(await claim(store)).map(({ id }) => id),
        ['e1'],
      )
    },
  ],
]
