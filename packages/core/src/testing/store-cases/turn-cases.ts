import assert from 'node:assert/strict'
import type { StopReason, TurnId } from '@hermes/plugin-sdk'
import type { TurnClaim } from '../../store/index.js'
import {
  add,
  begun,
  claim,
  claimKnowing,
  closing,
  codeOf,
  commit,
  eventsOf,
  end,
  event,
  idsOf,
  intent,
  message,
  openKeys,
  openPieces,
  piece,
  queued,
  receive,
  renew,
  snapshot,
  stop,
} from './samples.js'
import type { StoreCase } from './store-case.js'

/** Ids of the messages that a claim brings, or `known`. */
function messagesOf(claimed: TurnClaim | undefined): readonly string[] | 'known' | undefined {
  return claimed?.transcript === 'known' ? 'known' : claimed?.transcript.messages.map(({ id }) => id)
}

/** One turn at a time in a lane, fenced by its epoch. */
export const turnCases: readonly StoreCase[] = [
  [
    'a lane is ready while something waits or a turn is open',
    async (store) => {
      const ready = () => store.execute('lane.ready', {})
      assert.deepEqual(await ready(), [])
      await queued(store, 'e1')
      assert.deepEqual(await ready(), ['c1'])
      const { epoch } = await claim(store)
      assert.deepEqual(await ready(), ['c1'])
      await end(store, epoch)
      assert.deepEqual(await ready(), [])
    },
  ],
  [
    'nothing to claim: no turn',
    async (store) => {
      assert.equal(await store.execute('turn.claim', { lane: 'nowhere', turn: 't1', at: 1 }), undefined)
      const { epoch } = await begun(store)
      await end(store, epoch)
      assert.equal(await store.execute('turn.claim', { lane: 'c1', turn: 't2', at: 1 }), undefined)
    },
  ],
  [
    'turns answer the rows of a lane one by one, in order, under rising epochs',
    async (store) => {
      await queued(store, 'e1', 'e2')
      const first = await claim(store, 't1')
      await end(store, first.epoch)
      const second = await claim(store, 't2')
      assert.deepEqual(
        [first, second].map((each) => eventsOf(each).map(({ id }) => id)),
        [['e1'], ['e2']],
      )
      assert.deepEqual([first.turn, second.turn], ['t1', 't2'])
      assert.ok(second.epoch > first.epoch)
    },
  ],
  [
    // engine-api R4
    'a turn that was cut off goes on under the next epoch, with all that it stored',
    async (store, under) => {
      const { epoch, startedAt } = await begun(store)
      await commit(store, epoch, [message('user', 'm1'), message('assistant', 'm2')])
      await commit(store, epoch, [intent('call')])
      await commit(store, epoch, [{ kind: 'state', runtime: 'r', state: { at: 1 } }])
      await commit(store, epoch, [{ kind: 'state', runtime: 'r', state: { at: 2 } }])
      await commit(store, epoch, [snapshot('old'), snapshot('h')])
      const again = under.reopen ? await under.reopen() : store
      const resumed = await claim(again, 'another name')
      assert.equal(resumed.turn, 't1')
      assert.equal(resumed.epoch, epoch + 1)
      assert.equal(resumed.startedAt, startedAt)
      assert.deepEqual(eventsOf(resumed), [event('e1')])
      assert.deepEqual(idsOf(resumed), ['m1', 'm2'])
      assert.deepEqual(resumed.transcript.intents, [{ turn: 't1', callId: 'call', name: 'n', input: { a: 1 } }])
      assert.deepEqual(resumed.transcript.states, { r: { at: 2 } })
      assert.deepEqual(resumed.transcript.snapshot, { hash: 'h', system: 's', tools: [] })
    },
  ],
  [
    // engine-api R11
    'a stale epoch changes nothing',
    async (store) => {
      const { epoch } = await begun(store)
      const { epoch: newer } = await claim(store, 'other')
      assert.equal(await commit(store, epoch, [message('user', 'old'), snapshot('old')]), 'stale')
      assert.deepEqual(await end(store, epoch, { outbox: [piece('old')] }), { outcome: 'stale' })
      assert.deepEqual(await openKeys(store), [])
      const { transcript } = await claim(store, 'other')
      assert.deepEqual(transcript.messages, [])
      assert.equal(transcript.snapshot, undefined)
      assert.equal(await commit(store, newer, [message('user', 'm1')]), 'stale')
    },
  ],
  [
    'a claim leaves out the transcript that its caller knows; who claims without knowing it gets it',
    async (store) => {
      const { epoch } = await begun(store)
      await commit(store, epoch, [message('user', 'm1')])
      await end(store, epoch, { facts: [message('assistant', 'm2')] })
      await queued(store, 'e2', 'e3')
      const known = await claimKnowing(store, epoch)
      assert.equal(known.transcript, 'known')
      assert.equal(known.turn, 'next')
      assert.equal(known.epoch, epoch + 1)
      assert.deepEqual(
        eventsOf(known).map(({ id }) => id),
        ['e2'],
      )
      await end(store, known.epoch, { facts: [message('user', 'm3')] })
      assert.deepEqual(idsOf(await claim(store, 't3')), ['m1', 'm2', 'm3'])
    },
  ],
  [
    'a claim that is sent again goes on with the turn that it opened, under the next epoch, and brings the transcript',
    async (store, under) => {
      const { epoch } = await begun(store)
      await end(store, epoch, { facts: [message('assistant', 'm1')] })
      await queued(store, 'e2')
      const args = { lane: 'c1', turn: 't2', at: 6, known: epoch }
      const first = await store.execute('turn.claim', args, { id: 'x' })
      assert.equal(first?.transcript, 'known')
      const again = under.reopen ? await under.reopen() : store
      const second = await again.execute('turn.claim', args, { id: 'x' })
      assert.deepEqual({ ...second, transcript: 'known' }, { ...first, epoch: first.epoch + 1 })
      assert.deepEqual(messagesOf(second), ['m1'])
      assert.equal(await commit(again, first.epoch, [message('user', 'm2')]), 'stale')
    },
  ],
  [
    'who holds the transcript of an earlier epoch gets the whole one',
    async (store) => {
      await queued(store, 'e1', 'e2', 'e3')
      const first = await claim(store)
      await end(store, first.epoch, { facts: [message('assistant', 'm1')] })
      const another = await claim(store, 't2')
      await end(store, another.epoch)
      assert.deepEqual(messagesOf(await claimKnowing(store, first.epoch)), ['m1'])
    },
  ],
  [
    'an end says whether a stop left out some of its facts',
    async (store) => {
      const { epoch } = await begun(store)
      await store.execute('turn.stop', { lane: 'c1', reason: stop, at: 4 })
      const cut = await end(store, epoch, { facts: [message('tool', 'm1'), message('assistant', 'm2')] })
      assert.equal(cut.outcome === 'stored' && cut.isWhole, false)
      await queued(store, 'e2')
      const next = await claim(store, 't2')
      assert.deepEqual(messagesOf(next), ['m1'])
      const whole = await end(store, next.epoch, { facts: [message('assistant', 'm3')] })
      assert.equal(whole.outcome === 'stored' && whole.isWhole, true)
    },
  ],
  [
    'who holds the transcript of a conversation that was renewed gets the one of the new one',
    async (store) => {
      const { epoch } = await begun(store)
      await end(store, epoch, { facts: [message('user', 'm1')] })
      await queued(store, 'e2')
      await renew(store)
      const args = { lane: 'c2', turn: 't2', at: 8, known: epoch }
      assert.deepEqual(messagesOf(await store.execute('turn.claim', args)), [])
    },
  ],
  [
    'whoever goes on with a turn that was cut off gets the whole transcript',
    async (store) => {
      const { epoch } = await begun(store)
      await commit(store, epoch, [message('user', 'm1'), intent('call')])
      const resumed = await claimKnowing(store, epoch)
      assert.equal(resumed.turn, 't1')
      assert.deepEqual(messagesOf(resumed), ['m1'])
    },
  ],
  [
    'an ended turn takes nothing any more',
    async (store) => {
      const { epoch } = await begun(store)
      await end(store, epoch)
      assert.equal(await commit(store, epoch, [message('user', 'late')]), 'stale')
      assert.deepEqual(await end(store, epoch), { outcome: 'stale' })
    },
  ],
  [
    'an end stores the last facts and the answer, and settles what it answered, together',
    async (store) => {
      const { epoch } = await begun(store)
      const ended = await end(store, epoch, {
        facts: [message('user', 'm1'), message('assistant', 'm2')],
        outbox: [piece('a', { turn: 't1' as TurnId }), piece('b', { state: 'attempting' })],
      })
      assert.ok(ended.outcome === 'stored')
      assert.deepEqual(
        ended.outbox.map((row) => [row.key, row.state]),
        [
          ['a', 'pending'],
          ['b', 'attempting'],
        ],
      )
      assert.deepEqual(await openPieces(store), ended.outbox)
      assert.deepEqual(await receive(store, 'e1'), [0])
      await queued(store, 'e2')
      const next = await claim(store, 't2')
      assert.deepEqual(idsOf(next), ['m1', 'm2'])
      assert.deepEqual(
        eventsOf(next).map(({ id }) => id),
        ['e2'],
      )
      assert.deepEqual(next.transcript.intents, [])
    },
  ],
  [
    'an end says whether anything waits behind its turn',
    async (store) => {
      await queued(store, 'e1', 'e2')
      const first = await end(store, (await claim(store)).epoch)
      const second = await end(store, (await claim(store, 't2')).epoch)
      assert.deepEqual(
        [first, second].map((ended) => ended.outcome === 'stored' && ended.hasMore),
        [true, false],
      )
    },
  ],
  [
    'an end that fails leaves the turn as it was',
    async (store) => {
      await add(store, piece('taken'))
      const { epoch } = await begun(store)
      const failing = end(store, epoch, { facts: [message('assistant', 'm1')], outbox: [piece('new'), piece('taken')] })
      await assert.rejects(failing, codeOf('store.failed'))
      assert.deepEqual(await openKeys(store), ['taken'])
      assert.deepEqual(idsOf(await claim(store, 'other')), [])
    },
  ],
  [
    'the first reason to stop wins; without a turn there is nothing to stop',
    async (store) => {
      const tell = (reason: StopReason) => store.execute('turn.stop', { lane: 'c1', reason, at: 4 })
      assert.deepEqual(await tell(stop), { outcome: 'none' })
      await begun(store)
      assert.deepEqual(await tell(stop), { outcome: 'stopping', turn: 't1' })
      assert.deepEqual(await tell({ kind: 'shutdown', abandons: false }), { outcome: 'stopping', turn: 't1' })
      assert.deepEqual((await claim(store)).stop, stop)
    },
  ],
  [
    // engine-api R11
    'a stopped turn takes results, states and answers that only close calls, but no answer of a model and no intent',
    async (store) => {
      const { epoch } = await begun(store)
      await store.execute('turn.stop', { lane: 'c1', reason: stop, at: 4 })
      assert.equal(await commit(store, epoch, [message('user', 'm1')]), 'stored')
      assert.equal(await commit(store, epoch, [message('tool', 'm2'), { kind: 'state', runtime: 'r', state: 1 }]), 'stored')
      assert.equal(await commit(store, epoch, [message('tool', 'm3'), message('assistant', 'm4')]), 'stale')
      assert.equal(await commit(store, epoch, [intent('call')]), 'stale')
      assert.equal(await commit(store, epoch, [closing('m5')]), 'stored')
      const { transcript } = await claim(store)
      assert.deepEqual(
        transcript.messages.map((each) => each.id),
        ['m1', 'm2', 'm5'],
      )
      assert.deepEqual(transcript.states, { r: 1 })
      assert.deepEqual(transcript.intents, [])
    },
  ],
  [
    // engine-api R11
    'the end of a stopped turn leaves out its answer, and keeps closing facts and notices',
    async (store) => {
      const { epoch } = await begun(store)
      await store.execute('turn.stop', { lane: 'c1', reason: stop, at: 4 })
      const outbox = [piece('answer', { turn: 't1' as TurnId }), piece('notice')]
      const ended = await end(store, epoch, { facts: [message('tool', 'm1'), message('assistant', 'm2')], outbox })
      assert.ok(ended.outcome === 'stored')
      assert.deepEqual(
        ended.outbox.map((row) => row.key),
        ['notice'],
      )
      await queued(store, 'e2')
      assert.deepEqual(idsOf(await claim(store, 't2')), ['m1'])
    },
  ],
]
