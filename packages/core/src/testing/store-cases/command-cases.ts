import assert from 'node:assert/strict'
import { add, codeOf, event, openKeys, openPieces, piece } from './samples.js'
import type { StoreCase } from './store-case.js'

/** What holds for every command. */
export const commandCases: readonly StoreCase[] = [
  [
    'a command with a known id is applied once and answers the same',
    async (store, under) => {
      const args = { rows: [piece('a')], at: 1 }
      const first = await store.execute('outbox.add', args, { id: 'x' })
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await again.execute('outbox.add', args, { id: 'x' }), first)
      assert.deepEqual(await openKeys(again), ['a'])
    },
  ],
  [
    // state 8
    'of commands given together, one that fails takes no other with it',
    async (store) => {
      const results = await Promise.allSettled([add(store, piece('a')), add(store, piece('a')), add(store, piece('b'))])
      assert.deepEqual(
        results.map((result) => result.status),
        ['fulfilled', 'rejected', 'fulfilled'],
      )
      assert.deepEqual(await openKeys(store), ['a', 'b'])
    },
  ],
  [
    'a command that failed is run again with the same id',
    async (store) => {
      await add(store, piece('a'))
      const args = { rows: [piece('b'), piece('a')], at: 1 }
      await assert.rejects(store.execute('outbox.add', args, { id: 'x' }), codeOf('store.failed'))
      await store.execute('outbox.add', { rows: [piece('b')], at: 1 }, { id: 'x' })
      assert.deepEqual(await openKeys(store), ['a', 'b'])
    },
  ],
  [
    'what the caller changes afterwards, in arguments or results, changes nothing stored',
    async (store) => {
      const row = { ...piece('a'), message: { text: 'before', format: 'plain' as const } }
      const adding = store.execute('outbox.add', { rows: [row], at: 1 })
      row.message.text = 'after'
      const [added] = await adding
      Object.assign(added?.message ?? {}, { text: 'after' })
      assert.equal((await openPieces(store))[0]?.message.text, 'before')
    },
  ],
  [
    'broken characters and long texts come back as they were',
    async (store) => {
      const text = `\ud800 ${'ä'.repeat(1 << 20)} \udc00 \0 😀`
      await store.execute('inbox.receive', { adapter: 'test', account: 'bot', events: [{ event: event('e1', text) }], at: 1 })
      const [row] = await store.execute('inbox.unrouted', { after: 0, limit: 1 })
      assert.deepEqual(row?.event, event('e1', text))
    },
  ],
  [
    'an account is known once it was remembered',
    async (store) => {
      const known = (account: string) => store.execute('account.isKnown', { platform: 'test', account })
      assert.equal(await known('a'), false)
      for (const at of [1, 2]) await store.execute('account.remember', { platform: 'test', account: 'a', at })
      assert.equal(await known('a'), true)
      assert.equal(await known('b'), false)
    },
  ],
  [
    'a closed store refuses commands; closing twice is closing once',
    async (store) => {
      await Promise.all([store.close(), store.close()])
      await store.close()
      await assert.rejects(store.execute('lane.ready', {}), codeOf('stopped'))
      assert.equal(store.health().state, 'closed')
    },
  ],
]
