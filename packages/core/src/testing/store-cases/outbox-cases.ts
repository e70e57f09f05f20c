import assert from 'node:assert/strict'
import type { StoredOutcome } from '../../store/index.js'
import { chat, add, codeOf, defined, openKeys, openPieces, piece, receive, sent, unrouted } from './samples.js'
import type { StoreCase } from './store-case.js'

/** What is to be shown, in order, until it is final. */
export const outboxCases: readonly StoreCase[] = [
  [
    'pieces stand in the order in which they were added, of one adapter or all, in pages',
    async (store) => {
      const elsewhere = { ...chat, adapter: 'other' }
      const added = await add(store, piece('a'), piece('b', { chat: elsewhere }), piece('c'))
      assert.deepEqual(await openKeys(store), ['a', 'b', 'c'])
      assert.deepEqual(await openKeys(store, { adapter: 'test' }), ['a', 'c'])
      assert.deepEqual(await openKeys(store, { limit: 2 }), ['a', 'b'])
      assert.deepEqual(await openKeys(store, { after: added[1]?.seq ?? 0 }), ['c'])
    },
  ],
  [
    'a reply settles the row that it answers',
    async (store) => {
      const [seq = 0] = await receive(store, 'e1')
      await store.execute('outbox.add', { rows: [piece('reply')], settles: { seq, reason: 'command' }, at: 2 })
      assert.deepEqual(await unrouted(store), [])
    },
  ],
  [
    'a pending piece is attempted once',
    async (store) => {
      await add(store, piece('a'))
      const attempt = () => store.execute('outbox.attempt', { key: 'a', at: 7 })
      assert.equal(await attempt(), 'attempting')
      assert.equal(await attempt(), 'gone')
      assert.equal((await openPieces(store))[0]?.state, 'attempting')
      assert.equal(await store.execute('outbox.attempt', { key: 'unknown', at: 7 }), 'gone')
    },
  ],
  [
    'what is sent, dropped or held is not open; what is final stays as it is',
    async (store) => {
      await add(store, piece('a'), piece('b'), piece('c'))
      await store.execute('outbox.settle', { key: 'a', state: 'sent', outcome: sent, at: 7 })
      await store.execute('outbox.settle', { key: 'b', state: 'dropped', outcome: sent, at: 7 })
      await store.execute('outbox.settle', { key: 'c', state: 'held', outcome: sent, at: 7 })
      await store.execute('outbox.postpone', { key: 'a', dueAt: 9, outcome: sent, at: 8 })
      assert.deepEqual(await openKeys(store), [])
      await store.execute('outbox.postpone', { key: 'c', dueAt: 9, outcome: sent, at: 8 })
      assert.deepEqual(await openKeys(store), ['c'])
    },
  ],
  [
    'a postponed piece is pending again, with its date and changes',
    async (store) => {
      const [added] = await add(store, piece('a', { state: 'attempting' }))
      const changes = { message: { text: 'plain', format: 'plain' as const }, chat: { ...chat, chatId: 'moved' }, attempts: 1, refusals: 2 }
      const outcome: StoredOutcome = { status: 'unknown', detail: 'cut' }
      await store.execute('outbox.postpone', { key: 'a', dueAt: 99, outcome, changes, at: 8 })
      assert.deepEqual(await openPieces(store), [{ ...added, ...changes, state: 'pending', dueAt: 99, outcome, updatedAt: 8 }].map(defined))
    },
  ],
  [
    'smaller pieces take the place of one, also within the pieces of another',
    async (store) => {
      await add(store, piece('a'), piece('b'))
      const replace = (key: string, ...keys: string[]) =>
        store.execute('outbox.replace', { key, rows: keys.map((each) => piece(each)), outcome: sent, at: 8 })
      const smaller = await replace('a', 'a1', 'a2')
      await replace('a1', 'a1x', 'a1y', 'a1z')
      assert.deepEqual(await openKeys(store), ['a1x', 'a1y', 'a1z', 'a2', 'b'])
      assert.equal(new Set((await openPieces(store)).map((row) => row.seq)).size, 2)
      assert.deepEqual(await openKeys(store, { limit: 1 }), ['a1x', 'a1y', 'a1z', 'a2'])
      assert.deepEqual(
        smaller.map((row) => row.key),
        ['a1', 'a2'],
      )
      assert.deepEqual(await replace('a', 'again'), [])
    },
  ],
  [
    'a key names one piece for ever',
    async (store) => {
      await add(store, piece('a'))
      await store.execute('outbox.settle', { key: 'a', state: 'sent', outcome: sent, at: 7 })
      await assert.rejects(add(store, piece('b'), piece('a')), codeOf('store.failed'))
      assert.deepEqual(await openKeys(store), [])
    },
  ],
]
