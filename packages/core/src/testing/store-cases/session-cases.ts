import assert from 'node:assert/strict'
import {
  chat,
  begun,
  claim,
  commit,
  end,
  ending,
  event,
  eventsOf,
  idsOf,
  message,
  openKeys,
  piece,
  queued,
  receive,
  renew,
  route,
  unrouted,
} from './samples.js'
import type { RoutedChat } from '@hermes/plugin-sdk'
import type { StoreCase } from './store-case.js'

/** Which conversation a key leads to, and what waits there. */
export const sessionCases: readonly StoreCase[] = [
  [
    // state 21
    '20 routes of one key at the same time lead to one session and one conversation',
    async (store) => {
      const seqs = await receive(store, ...Array.from({ length: 20 }, (_, index) => `e${index}`))
      const routes = await Promise.all(seqs.map((seq, index) => route(store, seq, { conversation: `c${index}` })))
      assert.deepEqual(
        routes,
        seqs.map(() => ({ outcome: 'queued', conversation: 'c0' })),
      )
      assert.equal((await store.execute('session.get', { key: 'k' }))?.lane.waiting, 20)
    },
  ],
  [
    'a row that is routed twice stays where it is; one that is settled is not routed',
    async (store) => {
      const [first = 0, second = 0, third = 0] = await receive(store, 'e1', 'e2', 'e3')
      for (const seq of [first, second, first]) assert.equal((await route(store, seq)).outcome, 'queued')
      await store.execute('inbox.settle', { seq: third, reason: 'command', at: 2 })
      assert.equal((await route(store, third)).outcome, 'settled')
      assert.equal((await route(store, 999)).outcome, 'settled')
      assert.deepEqual(
        (await claim(store)).items.map((item) => item.seq),
        [first],
      )
    },
  ],
  [
    'an event that comes with the route is the one that its turn gets; a row that is in a lane keeps its own',
    async (store) => {
      const [first = 0, second = 0] = await receive(store, 'e1', 'e2')
      await route(store, first, { event: event('e1', 'rewritten') })
      await route(store, first, { event: event('e1', 'too late') })
      await route(store, second, { limit: 1, event: event('e2', 'no room') })
      assert.deepEqual(eventsOf(await claim(store)), [event('e1', 'rewritten')])
      await route(store, second)
      await end(store, 1)
      assert.deepEqual(eventsOf(await claim(store, 't2')), [event('e2')])
    },
  ],
  [
    'rows that are part of another are settled with its lane, and left alone where that is full',
    async (store) => {
      const [first = 0, second = 0, third = 0] = await receive(store, 'e1', 'e2', 'e3')
      await route(store, third)
      await route(store, first, { limit: 1, joined: [second] })
      assert.deepEqual(await unrouted(store), ['e1', 'e2'])
      await route(store, first, { event: event('e1', 'both'), joined: [second] })
      assert.deepEqual(await unrouted(store), [])
      assert.equal((await store.execute('session.get', { key: 'k' }))?.lane.waiting, 2)
      assert.equal((await route(store, second)).outcome, 'settled')
    },
  ],
  [
    'the sessions of a chat that moved go on under its new address, with what waits and what runs',
    async (store) => {
      const keys = ['chat:-5', 'chat:-5:ann', 'chat:-5:ben', 'chat:-55', 'chat:-5;x', 'chat:-9:ben']
      const seqs = await receive(store, ...keys, 'more', 'moved')
      for (const [index, key] of keys.entries()) await route(store, seqs[index] ?? 0, { key, conversation: `c${index}` })
      const { epoch } = await claim(store, 't1', 'c1')
      await route(store, seqs[6] ?? 0, { key: 'chat:-5:ann', conversation: 'unused' })
      const moved: RoutedChat = { ...chat, chatId: '-9' }
      const move = { from: 'chat:-5', to: 'chat:-9', chat: moved, at: 9, settles: { seq: seqs[7] ?? 0, reason: 'chat-moved' } }
      assert.deepEqual(await store.execute('session.move', move), { moved: 2 })
      const conversations = await Promise.all(
        ['chat:-9', 'chat:-9:ann', 'chat:-9:ben', 'chat:-5', 'chat:-5:ben', 'chat:-55', 'chat:-5;x'].map(
          async (key) => (await store.execute('session.get', { key }))?.session.conversation,
        ),
      )
      assert.deepEqual(conversations, ['c0', 'c1', 'c5', undefined, 'c2', 'c3', 'c4'])
      const found = await store.execute('session.get', { key: 'chat:-9:ann' })
      assert.deepEqual([found?.session.chat, found?.lane.openTurn, found?.lane.waiting], [moved, 't1', 1])
      await store.execute('turn.end', { lane: 'c1', epoch, ending: ending(), at: 10 })
      assert.equal((await claim(store, 't2', 'c1')).session?.key, 'chat:-9:ann')
      assert.deepEqual(await unrouted(store), [])
      assert.deepEqual(await store.execute('session.move', move), { moved: 0 })
    },
  ],
  [
    'a full lane leaves the row unrouted',
    async (store) => {
      const [first = 0, second = 0] = await receive(store, 'e1', 'e2')
      await route(store, first, { limit: 1 })
      assert.equal((await route(store, second, { limit: 1 })).outcome, 'full')
      assert.deepEqual(await unrouted(store), ['e2'])
    },
  ],
  [
    'the newest address of a session wins',
    async (store) => {
      const [first = 0, second = 0] = await receive(store, 'e1', 'e2')
      await route(store, first)
      const newest = { ...chat, adapterData: { route: 'new' } }
      await route(store, second, { chat: newest })
      assert.deepEqual((await store.execute('session.get', { key: 'k' }))?.session.chat, newest)
    },
  ],
  ['an unknown key has no session', async (store) => assert.equal(await store.execute('session.get', { key: 'nobody' }), undefined)],
  [
    'the status of a lane counts what waits and what was said',
    async (store) => {
      await queued(store, 'e1', 'e2')
      const { epoch, turn } = await claim(store)
      await commit(store, epoch, [message('user', 'm1')])
      const found = await store.execute('session.get', { key: 'k' })
      assert.deepEqual(found?.lane, { conversation: 'c1', epoch, messages: 1, waiting: 1, openTurn: turn, startedAt: 2 })
    },
  ],
  [
    // state 13
    'a conversation that is ended twice ends once: the first reason wins, the generation rises by one',
    async (store) => {
      await queued(store, 'e1')
      const [first, second] = await Promise.all([renew(store), renew(store, { next: 'c3', reason: 'idle' })])
      assert.equal(first.isRenewed, true)
      assert.equal(second.isRenewed, false)
      assert.deepEqual(second.session, first.session)
      assert.equal(first.session?.generation, 1)
      assert.equal(first.session?.conversation, 'c2')
    },
  ],
  [
    'what waits moves to the new conversation, in order',
    async (store) => {
      await queued(store, 'e1', 'e2', 'e3')
      await claim(store)
      await renew(store)
      const [late = 0] = await receive(store, 'e4')
      await route(store, late)
      const answered: string[] = []
      for (const turn of ['t2', 't3', 't4']) {
        const claimed = await claim(store, turn, 'c2')
        assert.deepEqual(idsOf(claimed), [])
        answered.push(...eventsOf(claimed).map(({ id }) => id))
        await store.execute('turn.end', { lane: 'c2', epoch: claimed.epoch, ending: ending(), at: 8 })
      }
      assert.deepEqual(answered, ['e2', 'e3', 'e4'])
    },
  ],
  [
    'the open turn of a conversation that ended is told to stop, and can still be ended',
    async (store) => {
      const { epoch } = await begun(store)
      await renew(store)
      assert.equal(await commit(store, epoch, [message('assistant', 'm1')]), 'stale')
      const resumed = await claim(store, 'other')
      assert.deepEqual(resumed.stop, { kind: 'reset', abandons: true })
      assert.equal(resumed.session?.conversation, 'c2')
      assert.equal((await end(store, resumed.epoch)).outcome, 'stored')
      assert.deepEqual(await store.execute('lane.ready', {}), [])
    },
  ],
  [
    'a renewal settles its command and queues its reply; one that comes too late does neither',
    async (store) => {
      await queued(store, 'e1')
      const [command = 0, late = 0] = await receive(store, 'command', 'late')
      const { outbox } = await renew(store, { settles: command, outbox: [piece('reply')] })
      assert.deepEqual(
        outbox.map((row) => row.key),
        ['reply'],
      )
      await renew(store, { next: 'c3', settles: late, outbox: [piece('late reply')] })
      assert.deepEqual(await unrouted(store), ['late'])
      assert.deepEqual(await openKeys(store), ['reply'])
    },
  ],
  [
    'what a plugin says waits in the lane of a known key, behind what waits there, and no more than may',
    async (store, under) => {
      const inject = (id: string, key = 'k') => store.execute('session.inject', { key, id, text: `say ${id}`, by: 'bot', limit: 2, at: 5 })
      assert.deepEqual(await inject('i1'), { outcome: 'no-session' })
      await queued(store, 'e1')
      assert.deepEqual(await inject('i1'), { outcome: 'queued', conversation: 'c1' })
      assert.deepEqual(await inject('i2'), { outcome: 'full' })
      assert.deepEqual(await unrouted(store), [])
      const again = under.reopen ? await under.reopen() : store
      await claim(again)
      await end(again, 1)
      const claimed = await claim(again, 't2')
      const { adapter, ...address } = chat
      assert.deepEqual(
        claimed.items.map((item) => 'event' in item && item.adapter),
        [adapter],
      )
      assert.deepEqual(eventsOf(claimed), [{ kind: 'notice', name: 'injected', id: 'i1', at: 5, chat: address, data: { text: 'say i1', by: 'bot' } }])
    },
  ],
]
