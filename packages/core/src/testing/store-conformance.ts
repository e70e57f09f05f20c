import assert from 'node:assert/strict'
import type { InboundMessage, Message, RoutedChat, StopReason, TurnId, TurnOutcome } from '@hermes/plugin-sdk'
import type { NewOutboxRecord, OutboxRecord, StateStore, StoredOutcome, TurnClaim, TurnEnding, TurnFact } from '../store/index.js'

/** The test functions of any runner: vitest's, or those of `node:test`. */
export interface TestApi {
  describe(name: string, body: () => void): void
  it(name: string, body: () => Promise<void>): void
}

/** A fresh, open store for one test. */
export interface StoreUnderTest {
  readonly store: StateStore
  /** Closes the store and opens what it left, as a new process would. Absent: the store keeps nothing. */
  reopen?(): Promise<StateStore>
  remove(): Promise<void>
}

/** What the suite needs to know of a store. */
export interface StoreConformance {
  create(): Promise<StoreUnderTest>
}

type Case = readonly [name: string, run: (store: StateStore, under: StoreUnderTest) => Promise<void>]

/** The promises that every `StateStore` keeps, as tests: `storeConformance({ describe, it }, { create })`. */
export function storeConformance(test: TestApi, setup: StoreConformance): void {
  for (const [group, cases] of Object.entries(groups))
    test.describe(group, () => {
      for (const [name, run] of cases)
        test.it(name, async () => {
          const under = await setup.create()
          try {
            await run(under.store, under)
          } finally {
            await under.remove()
          }
        })
    })
}

// ── what the cases are made of

const chat: RoutedChat = { platform: 'test', adapter: 'test', kind: 'dm', chatId: 'c' }
const sent: StoredOutcome = { status: 'sent', ids: [] }
const stop: StopReason = { kind: 'stop', abandons: true }

function event(id: string, text = id): InboundMessage {
  return { kind: 'message', id, at: 1, chat, messageId: id, author: { id: 'u', isBot: false }, text, mentions: 'us' }
}

function piece(key: string, more: Partial<NewOutboxRecord> = {}): NewOutboxRecord {
  return { key, chat, message: { text: key, format: 'plain' }, piece: { index: 0, count: 1 }, state: 'pending', dueAt: 0, ...more }
}

function message(role: Message['role'], id: string, text = id): TurnFact {
  const stamp = { id, turn: 't1', at: 1 }
  const parts = [{ type: 'text', text }]
  const more = {
    user: { origin: 'person' },
    assistant: { model: { provider: 'p', model: 'm' }, finish: 'stop' },
    tool: { callId: id, name: 'n', status: 'ok' },
  }
  return { kind: 'message', message: { ...stamp, role, parts, ...more[role] } as unknown as Message }
}

function intent(callId: string): TurnFact {
  return { kind: 'intent', callId, name: 'n', input: { a: 1 } }
}

function ending(more: Partial<TurnEnding> = {}): TurnEnding {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const outcome: TurnOutcome = { status: 'completed', text: 'done', steps: 1, usage }
  return { outcome, state: 'settled', facts: [], outbox: [], ...more }
}

async function receive(store: StateStore, ...ids: string[]): Promise<number[]> {
  const receipts = await store.execute('inbox.receive', { adapter: 'test', account: 'bot', events: ids.map((id) => event(id)), at: 1 })
  return receipts.map((receipt) => (receipt.receipt === 'stored' ? receipt.seq : 0))
}

function route(store: StateStore, seq: number, more: { key?: string; conversation?: string; limit?: number; chat?: RoutedChat } = {}) {
  return store.execute('session.route', { seq, key: 'k', conversation: 'c1', chat, limit: 100, at: 2, ...more })
}

async function queued(store: StateStore, ...ids: string[]): Promise<number[]> {
  const seqs = await receive(store, ...ids)
  for (const seq of seqs) await route(store, seq)
  return seqs
}

async function claim(store: StateStore, turn = 't1', lane = 'c1'): Promise<TurnClaim> {
  const claimed = await store.execute('turn.claim', { lane, turn, at: 3 })
  assert.ok(claimed, `lane ${lane} has something to claim`)
  return claimed
}

async function begun(store: StateStore): Promise<TurnClaim> {
  await queued(store, 'e1')
  return claim(store)
}

function commit(store: StateStore, epoch: number, facts: readonly TurnFact[]) {
  return store.execute('turn.commit', { lane: 'c1', epoch, facts, at: 4 })
}

function end(store: StateStore, epoch: number, more: Partial<TurnEnding> = {}) {
  return store.execute('turn.end', { lane: 'c1', epoch, ending: ending(more), at: 5 })
}

function add(store: StateStore, ...rows: NewOutboxRecord[]) {
  return store.execute('outbox.add', { rows, at: 6 })
}

async function openPieces(store: StateStore, more: { adapter?: string; after?: number; limit?: number } = {}): Promise<readonly OutboxRecord[]> {
  return store.execute('outbox.open', { after: 0, limit: 100, ...more })
}

async function openKeys(store: StateStore, more: { adapter?: string; after?: number; limit?: number } = {}): Promise<string[]> {
  return (await openPieces(store, more)).map((row) => row.key)
}

function renew(
  store: StateStore,
  more: { conversation?: string; next?: string; reason?: 'new' | 'idle'; outbox?: NewOutboxRecord[]; settles?: number } = {},
) {
  const { settles, ...rest } = more
  return store.execute('session.renew', {
    key: 'k',
    conversation: 'c1',
    next: 'c2',
    reason: 'new',
    at: 7,
    outbox: [],
    ...(settles !== undefined && { settles: { seq: settles, reason: 'command' } }),
    ...rest,
  })
}

async function unrouted(store: StateStore, after = 0, limit = 100): Promise<string[]> {
  return (await store.execute('inbox.unrouted', { after, limit })).map((row) => row.event.id)
}

const idsOf = (claimed: TurnClaim): string[] => claimed.transcript.messages.map((stored) => stored.id)
const codeOf = (code: string) => (error: unknown) => (error as { code?: unknown }).code === code

// ── the cases

const inbox: Case[] = [
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
  [
    'settled rows are duplicates until they are forgotten; unsettled ones are never forgotten',
    async (store) => {
      const [settled = 0] = await receive(store, 'e1', 'e2')
      await store.execute('inbox.settle', { seq: settled, reason: 'denied', at: 2 })
      assert.equal(await store.execute('inbox.forget', { before: 1 }), 0)
      assert.deepEqual(await receive(store, 'e1'), [0])
      assert.equal(await store.execute('inbox.forget', { before: 2 }), 1)
      const [again = 0, kept] = await receive(store, 'e1', 'e2')
      assert.ok(again > 0)
      assert.equal(kept, 0)
    },
  ],
]

const sessions: Case[] = [
  [
    '20 routes of one key at the same time lead to one session and one conversation',
    async (store) => {
      const seqs = await receive(store, ...Array.from({ length: 20 }, (_, index) => `e${index}`))
      const routes = await Promise.all(seqs.map((seq, index) => route(store, seq, { conversation: `c${index}` })))
      assert.equal(routes.filter((each) => each.isNew).length, 1)
      assert.deepEqual([...new Set(routes.map((each) => each.session.conversation))], ['c0'])
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
        const { items, epoch, transcript } = await claim(store, turn, 'c2')
        assert.deepEqual(transcript.messages, [])
        answered.push(...items.map((item) => item.event.id))
        await store.execute('turn.end', { lane: 'c2', epoch, ending: ending(), at: 8 })
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
      assert.equal(resumed.session.conversation, 'c2')
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
]

const turns: Case[] = [
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
        [first, second].map((each) => each.items.map((item) => item.event.id)),
        [['e1'], ['e2']],
      )
      assert.deepEqual([first.turn, second.turn], ['t1', 't2'])
      assert.ok(second.epoch > first.epoch)
      assert.equal(first.isResumed, false)
    },
  ],
  [
    'a turn that was cut off goes on under the next epoch, with all that it stored',
    async (store, under) => {
      const { epoch, startedAt } = await begun(store)
      await commit(store, epoch, [message('user', 'm1'), message('assistant', 'm2')])
      await commit(store, epoch, [intent('call')])
      await commit(store, epoch, [{ kind: 'state', runtime: 'r', state: { at: 1 } }])
      await commit(store, epoch, [{ kind: 'state', runtime: 'r', state: { at: 2 } }])
      await store.execute('turn.snapshot', { lane: 'c1', epoch, snapshot: { hash: 'h', system: 's', tools: [] } })
      const again = under.reopen ? await under.reopen() : store
      const resumed = await claim(again, 'another name')
      assert.equal(resumed.turn, 't1')
      assert.equal(resumed.isResumed, true)
      assert.equal(resumed.epoch, epoch + 1)
      assert.equal(resumed.startedAt, startedAt)
      assert.deepEqual(
        resumed.items.map((item) => item.event),
        [event('e1')],
      )
      assert.deepEqual(idsOf(resumed), ['m1', 'm2'])
      assert.deepEqual(resumed.transcript.intents, [{ turn: 't1', callId: 'call', name: 'n', input: { a: 1 } }])
      assert.deepEqual(resumed.transcript.states, { r: { at: 2 } })
      assert.deepEqual(resumed.transcript.snapshot, { hash: 'h', system: 's', tools: [] })
    },
  ],
  [
    'a stale epoch changes nothing',
    async (store) => {
      const { epoch } = await begun(store)
      const { epoch: newer } = await claim(store, 'other')
      assert.equal(await commit(store, epoch, [message('user', 'old')]), 'stale')
      const snapshot = { hash: 'h', system: 's', tools: [] }
      assert.equal(await store.execute('turn.snapshot', { lane: 'c1', epoch, snapshot }), 'stale')
      assert.deepEqual(await end(store, epoch, { outbox: [piece('old')] }), { outcome: 'stale' })
      assert.deepEqual(await openKeys(store), [])
      const { transcript } = await claim(store, 'other')
      assert.deepEqual(transcript.messages, [])
      assert.equal(transcript.snapshot, undefined)
      assert.equal(await commit(store, newer, [message('user', 'm1')]), 'stale')
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
        next.items.map((item) => item.event.id),
        ['e2'],
      )
      assert.deepEqual(next.transcript.intents, [])
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
    'a stopped turn takes results, states and questions, but no answer and no intent',
    async (store) => {
      const { epoch } = await begun(store)
      await store.execute('turn.stop', { lane: 'c1', reason: stop, at: 4 })
      assert.equal(await commit(store, epoch, [message('user', 'm1')]), 'stored')
      assert.equal(await commit(store, epoch, [message('tool', 'm2'), { kind: 'state', runtime: 'r', state: 1 }]), 'stored')
      assert.equal(await commit(store, epoch, [message('tool', 'm3'), message('assistant', 'm4')]), 'stale')
      assert.equal(await commit(store, epoch, [intent('call')]), 'stale')
      const { transcript } = await claim(store)
      assert.deepEqual(
        transcript.messages.map((each) => each.id),
        ['m1', 'm2'],
      )
      assert.deepEqual(transcript.states, { r: 1 })
      assert.deepEqual(transcript.intents, [])
    },
  ],
  [
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

const outbox: Case[] = [
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

const anyCommand: Case[] = [
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
    'a claim with a known id raises the epoch once and answers the same',
    async (store) => {
      await queued(store, 'e1')
      const once = () => store.execute('turn.claim', { lane: 'c1', turn: 't1', at: 3 }, { id: 'x' })
      assert.deepEqual(await once(), await once())
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
      await store.execute('inbox.receive', { adapter: 'test', account: 'bot', events: [event('e1', text)], at: 1 })
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

/** JSON drops members that are `undefined`, and so does a store. */
function defined<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}

const groups: { readonly [name: string]: readonly Case[] } = { inbox, sessions, turns, outbox, 'any command': anyCommand }
