import assert from 'node:assert/strict'
import type { StopReason } from '@hermes/plugin-sdk'
import type { RunOrder, StateStore } from '../../store/index.js'
import { begun, claim, codeOf, commit, end, ending, eventsOf, forget, idsOf, message, queued, receive, renew, snapshot, unrouted } from './samples.js'
import type { StoreCase } from './store-case.js'

const gone: StopReason = { kind: 'disconnect', abandons: true }
const order = (id: string, more: Partial<RunOrder> = {}): RunOrder => ({ by: 'gateway', id, input: `do ${id}`, isKeyed: false, ...more })

function add(store: StateStore, wanted: RunOrder, more: { key?: string; lane?: string; limit?: number; at?: number } = {}) {
  return store.execute('run.add', { order: wanted, lane: `lane of ${wanted.id}`, limit: 100, at: 4, ...more })
}

function stopRun(store: StateStore, id: string, reason = gone) {
  return store.execute('run.stop', { by: 'gateway', id, reason, at: 5 })
}

/** Ends the turn of an order that has a lane of its own. */
function endLone(store: StateStore, id: string, epoch: number) {
  return store.execute('turn.end', { lane: `lane of ${id}`, epoch, ending: ending({ facts: [message('assistant', 'answer')] }), at: 6 })
}

/** What applications and plugins ask the agent. */
export const runCases: readonly StoreCase[] = [
  [
    'an order of a session waits in its lane, behind what waits there, and goes on in its transcript',
    async (store, under) => {
      const { epoch } = await begun(store)
      await queued(store, 'e2')
      assert.deepEqual(await add(store, order('r1'), { key: 'k' }), { outcome: 'queued', lane: 'c1' })
      await queued(store, 'e3')
      assert.deepEqual(await unrouted(store), [])
      const again = under.reopen ? await under.reopen() : store
      await end(again, epoch, { facts: [message('assistant', 'm1')] })
      const second = await claim(again, 't2')
      assert.deepEqual(
        eventsOf(second).map(({ id }) => id),
        ['e2'],
      )
      await end(again, second.epoch)
      const run = await claim(again, 't3')
      assert.deepEqual(
        run.items.map((item) => 'run' in item && item.run),
        [order('r1')],
      )
      assert.equal(run.session?.key, 'k')
      assert.deepEqual(idsOf(run), ['m1'])
      await end(again, run.epoch)
      assert.deepEqual(
        eventsOf(await claim(again, 't4')).map(({ id }) => id),
        ['e3'],
      )
    },
  ],
  [
    'a session that is not there, and a lane that is full, take no order',
    async (store) => {
      assert.deepEqual(await add(store, order('r1'), { key: 'k' }), { outcome: 'no-session' })
      await queued(store, 'e1')
      assert.deepEqual(await add(store, order('r1'), { key: 'k', limit: 1 }), { outcome: 'full' })
      assert.deepEqual(await add(store, order('r1'), { key: 'k', limit: 2 }), { outcome: 'queued', lane: 'c1' })
      await renew(store)
      assert.equal((await store.execute('session.get', { key: 'k' }))?.lane.waiting, 2)
      await claim(store, 't1', 'c2')
    },
  ],
  [
    'an order without a session has a lane of its own, with epochs like any other',
    async (store, under) => {
      assert.deepEqual(await add(store, order('r1')), { outcome: 'queued', lane: 'lane of r1' })
      assert.deepEqual(await store.execute('lane.ready', {}), ['lane of r1'])
      const first = await claim(store, 't1', 'lane of r1')
      assert.equal(first.session, undefined)
      const facts = [message('user', 'm1'), snapshot('h')]
      await store.execute('turn.commit', { lane: 'lane of r1', epoch: first.epoch, facts, at: 4 })
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await again.execute('lane.ready', {}), ['lane of r1'])
      const resumed = await claim(again, 'another name', 'lane of r1')
      assert.deepEqual([resumed.turn, resumed.epoch, idsOf(resumed)], ['t1', first.epoch + 1, ['m1']])
      assert.deepEqual(
        resumed.items.map((item) => 'run' in item && item.run),
        [order('r1')],
      )
      assert.deepEqual(await endLone(again, 'r1', first.epoch), { outcome: 'stale' })
      assert.equal((await endLone(again, 'r1', resumed.epoch)).outcome, 'stored')
    },
  ],
  [
    'a lane without a session ends with its turn, and leaves nothing of the conversation',
    async (store) => {
      await add(store, order('r1'))
      const { epoch } = await claim(store, 't1', 'lane of r1')
      const facts = [message('user', 'm1'), snapshot('h'), { kind: 'state', runtime: 'r', state: 1 } as const]
      await store.execute('turn.commit', { lane: 'lane of r1', epoch, facts, at: 4 })
      await endLone(store, 'r1', epoch)
      assert.deepEqual(await store.execute('lane.ready', {}), [])
      assert.equal(await store.execute('turn.commit', { lane: 'lane of r1', epoch, facts, at: 4 }), 'stale')
      assert.deepEqual(await endLone(store, 'r1', epoch), { outcome: 'stale' })
      await add(store, order('r2'), { lane: 'lane of r1' })
      const { transcript } = await claim(store, 't2', 'lane of r1')
      assert.deepEqual(transcript, { messages: [], intents: [], states: {} })
    },
  ],
  [
    'an order is known until it is forgotten: it waits, then its turn runs, then its outcome is told',
    async (store, under) => {
      const wanted = order('r1', { isKeyed: true })
      await add(store, wanted)
      const waiting = { outcome: 'waiting', lane: 'lane of r1' }
      assert.deepEqual(await add(store, wanted, { lane: 'unused' }), waiting)
      const { epoch } = await claim(store, 't1', 'lane of r1')
      assert.deepEqual(await add(store, wanted, { lane: 'unused' }), waiting)
      await endLone(store, 'r1', epoch)
      const again = under.reopen ? await under.reopen() : store
      assert.deepEqual(await add(again, wanted, { lane: 'unused' }), { outcome: 'ended', result: ending().outcome })
      assert.deepEqual(await add(again, { ...wanted, by: 'plugin:x' }, { lane: 'other' }), { outcome: 'queued', lane: 'other' })
      await forget(again, 99)
      assert.deepEqual(await add(again, wanted), { outcome: 'queued', lane: 'lane of r1' })
    },
  ],
  [
    'an order that is taken out of its lane before its turn leaves nothing there, and may come again',
    async (store) => {
      await begun(store)
      await add(store, order('r1'), { key: 'k' })
      await add(store, order('r2'))
      assert.deepEqual(await stopRun(store, 'r1'), { outcome: 'withdrawn' })
      assert.deepEqual(await stopRun(store, 'r2'), { outcome: 'withdrawn' })
      assert.deepEqual(await stopRun(store, 'r2'), { outcome: 'none' })
      assert.equal((await store.execute('session.get', { key: 'k' }))?.lane.waiting, 0)
      assert.deepEqual(await store.execute('lane.ready', {}), ['c1'])
      assert.deepEqual(await add(store, order('r2'), { at: 9 }), { outcome: 'queued', lane: 'lane of r2' })
      assert.deepEqual(await add(store, order('r1'), { key: 'k', at: 9 }), { outcome: 'queued', lane: 'c1' })
      await forget(store, 9)
      assert.deepEqual(await add(store, order('r2')), { outcome: 'waiting', lane: 'lane of r2' })
    },
  ],
  [
    'an order in its turn tells that to stop, the first reason wins, and nobody else’s',
    async (store) => {
      await add(store, order('r1'))
      const { epoch, turn } = await claim(store, 't1', 'lane of r1')
      assert.deepEqual(await store.execute('run.stop', { by: 'plugin:x', id: 'r1', reason: gone, at: 5 }), { outcome: 'none' })
      assert.deepEqual(await stopRun(store, 'r1'), { outcome: 'stopping', turn, lane: 'lane of r1' })
      await stopRun(store, 'r1', { kind: 'stop', abandons: true })
      assert.equal(await store.execute('turn.commit', { lane: 'lane of r1', epoch, facts: [message('assistant', 'm1')], at: 6 }), 'stale')
      const resumed = await claim(store, 'another', 'lane of r1')
      assert.deepEqual(resumed.stop, gone)
      await endLone(store, 'r1', resumed.epoch)
      assert.deepEqual(await stopRun(store, 'r1'), { outcome: 'none' })
      assert.deepEqual(await stopRun(store, 'never'), { outcome: 'none' })
    },
  ],
  [
    'a conversation of an order may not have the id of another',
    async (store) => {
      const { epoch } = await begun(store)
      await assert.rejects(add(store, order('r1'), { lane: 'c1' }), codeOf('store.failed'))
      assert.equal(await commit(store, epoch, [message('user', 'm1')]), 'stored')
      assert.deepEqual(await receive(store, 'e1'), [0])
    },
  ],
]
