import { HermesError, type InboundEvent, type InboundMessage, type Logger } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { randomIds } from '../kernel/index.js'
import { memoryStore, type InboxRecord, type NewInboxRecord, type StateStore } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createIntake, type IntakePorts } from './intake.js'

const source = { adapter: 'test', account: 'bot' }

function event(id: string): InboundEvent {
  const chat = { platform: 'test', kind: 'dm', chatId: 'c' } as const
  return { kind: 'message', id, at: 0, chat, messageId: id, author: { id: 'u', isBot: false }, text: id, mentions: 'none' }
}

/** Puts every message into the lane of one conversation. */
function intoOneLane(_adapter: string, events: readonly InboundEvent[]): NewInboxRecord[] {
  const chat = { platform: 'test', kind: 'dm', chatId: 'c', adapter: 'test' } as const
  return events.map((each) => ({ event: each, route: { key: 'k', conversation: 'c1', chat, limit: 2 } }))
}

function nested(depth: number): object {
  let value: object = {}
  for (let level = 0; level < depth; level++) value = { value }
  return value
}

function circular(): object {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

async function setUp(
  options: { capacity?: number; wrap?: (store: StateStore) => StateStore; plan?: IntakePorts['plan']; admit?: IntakePorts['admit'] } = {},
) {
  const memory = memoryStore()
  await memory.open()
  const store = options.wrap?.(memory) ?? memory
  const rows: InboxRecord[] = []
  const lanes: (string | undefined)[] = []
  const notStored: string[] = []
  const errors: string[] = []
  const logger: Logger = { debug() {}, info() {}, warn() {}, error: (_fields, message) => void errors.push(message) }
  const closing = new AbortController()
  const { signal } = closing
  const clock = new FakeClock()
  const intake = createIntake({
    store,
    clock,
    ids: randomIds,
    logger,
    signal,
    capacity: options.capacity ?? 100,
    admit: options.admit ?? (() => true),
    onNotStored: (_adapter, { id }) => void notStored.push(id),
    plan: options.plan ?? ((_adapter, events) => events.map((each) => ({ event: each }))),
    onStored(row, conversation) {
      rows.push(row)
      lanes.push(conversation)
    },
  })
  return { intake, rows, lanes, notStored, errors, clock, store: memory, closing }
}

/** The same store, whose next `inbox.receive` fails; or only its answer is lost. */
function failingOnce(store: StateStore, moment: 'before' | 'after' = 'before'): StateStore {
  let hasFailed = false
  return {
    engine: store.engine,
    open: () => store.open(),
    close: () => store.close(),
    health: () => store.health(),
    execute: async (name, args, options) => {
      if (hasFailed || name !== 'inbox.receive') return store.execute(name, args, options)
      hasFailed = true
      if (moment === 'before') throw new HermesError('store.full', 'No space.', { path: 'x', reason: 'full' })
      await store.execute(name, args, options)
      throw new HermesError('store.unsettled', 'The answer was lost.', { command: name, id: options?.id ?? '' })
    },
  }
}

describe('the intake', () => {
  it('acknowledges what is not admitted, and stores nothing of it', async () => {
    const { intake, rows, store } = await setUp({ admit: (_adapter, { id }) => id !== 'unwanted' })
    expect(await Promise.all([intake.receive(source, event('unwanted')), intake.receive(source, event('e1'))])).toEqual(['ignored', 'stored'])
    expect(rows.map((row) => row.event.id)).toEqual(['e1'])
    expect(await store.execute('inbox.unrouted', { after: 0, limit: 9 })).toHaveLength(1)
  })

  it('tells which of the admitted events were not stored', async () => {
    const { intake, notStored } = await setUp({ wrap: (store) => failingOnce(store) })
    await expect(intake.receive(source, event('e1'))).rejects.toMatchObject({ code: 'inbox.unavailable' })
    for (const id of ['e1', 'e2', 'e2']) await intake.receive(source, event(id))
    expect(notStored).toEqual(['e1', 'e2'])
  })

  it('gives its receipt after the row, and hands rows on in the order of the calls', async () => {
    const { intake, rows, store } = await setUp()
    const receipts = await Promise.all(['1', '2', '3'].map((id) => intake.receive(source, event(id))))
    expect(receipts).toEqual(['stored', 'stored', 'stored'])
    expect(rows.map((row) => row.event.id)).toEqual(['1', '2', '3'])
    const stored = await store.execute('inbox.unrouted', { after: 0, limit: 10 })
    expect(stored.map((row) => row.event.id)).toEqual(['1', '2', '3'])
  })

  it('drops a second delivery of the same happening, also in the same commit', async () => {
    const { intake, rows } = await setUp()
    const receipts = await Promise.all([intake.receive(source, event('1')), intake.receive(source, event('1'))])
    expect(receipts).toEqual(['stored', 'duplicate'])
    expect(await intake.receive(source, event('1'))).toBe('duplicate')
    expect(await intake.receive({ ...source, account: 'other' }, event('1'))).toBe('stored')
    expect(rows).toHaveLength(2)
  })

  it('stores what it can in its lane, and says of each row which lane that is', async () => {
    const { intake, rows, lanes, store } = await setUp({ plan: intoOneLane })
    const receipts = await Promise.all(['1', '1', '2', '3'].map((id) => intake.receive(source, event(id))))
    expect(receipts).toEqual(['stored', 'duplicate', 'stored', 'stored'])
    expect(rows.map((row) => row.event.id)).toEqual(['1', '2', '3'])
    expect(lanes).toEqual(['c1', 'c1', undefined])
    expect((await store.execute('session.get', { key: 'k' }))?.lane.waiting).toBe(2)
  })

  it('hands a row on once when the answer of its commit was lost', async () => {
    const { intake, rows, lanes, clock } = await setUp({ plan: intoOneLane, wrap: (store) => failingOnce(store, 'after') })
    const receiving = intake.receive(source, event('1'))
    await clock.advance(await clock.slept())
    expect(await receiving).toBe('stored')
    expect(await intake.receive(source, event('1'))).toBe('duplicate')
    expect([rows.length, ...lanes]).toEqual([1, 'c1'])
  })

  it('rejects everything that waits behind an event that could not be stored, so that order holds', async () => {
    const { intake, rows } = await setUp({ wrap: failingOnce })
    const first = intake.receive(source, event('1'))
    await Promise.resolve()
    await Promise.resolve()
    const results = await Promise.allSettled([first, intake.receive(source, event('2')), intake.receive(source, event('3'))])
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(results.every((result) => result.status === 'rejected' && HermesError.is(result.reason, 'inbox.unavailable'))).toBe(true)
    await Promise.all(['1', '2', '3'].map((id) => intake.receive(source, event(id))))
    expect(rows.map((row) => row.event.id)).toEqual(['1', '2', '3'])
  })

  it('lets an adapter wait while too much is not taken up yet', async () => {
    const { intake, rows } = await setUp({ capacity: 2 })
    await Promise.all([intake.receive(source, event('1')), intake.receive(source, event('2'))])
    const third = intake.receive(source, event('3'))
    await new Promise((resolve) => setImmediate(resolve))
    expect(rows).toHaveLength(2)
    intake.release(1)
    expect(await third).toBe('stored')
  })

  it('lets nobody wait for room when the house closes: the platform keeps the event', async () => {
    const { intake, rows, closing } = await setUp({ capacity: 1 })
    await intake.receive(source, event('1'))
    const second = intake.receive(source, event('2'))
    closing.abort()
    await expect(second).rejects.toMatchObject({ code: 'inbox.unavailable' })
    expect(rows).toHaveLength(1)
  })

  const { id, at, chat, author } = event('1') as InboundMessage
  const place = { id, at, chat }
  const cat = { kind: 'image', ref: { file: 'f1' }, mime: 'image/jpeg', size: 10 }
  it.each([
    [
      'a message with all that can come along',
      {
        ...event('1'),
        names: { chat: 'Family', thread: 'Cats' },
        author: { ...author, language: 'de', roles: ['r1'] },
        attachments: [cat],
        replyTo: { messageId: '7', text: 'before', author },
        context: ['said before'],
        join: { key: 'album', quietMs: 800 },
      },
    ],
    ['an edit', { ...place, kind: 'edit', messageId: '1', author, text: 'b' }],
    ['a delete by nobody', { ...place, kind: 'delete', messageIds: ['1', '2'] }],
    ['a command', { ...place, kind: 'command', author, name: 'new', args: '' }],
    ['a choice', { ...place, kind: 'choice', author, promptId: 'p', optionId: 'o', messageId: '1' }],
    ['a reaction', { ...place, kind: 'reaction', author, messageId: '1', emoji: '👍', isRemoved: false }],
    ['a notice', { ...place, kind: 'notice', name: 'chat-moved', data: { chat: { chatId: '-2' } } }],
  ])('stores %s whole', async (_what, whole) => {
    const { intake, rows } = await setUp()
    expect(await intake.receive(source, whole as InboundEvent)).toBe('stored')
    expect(rows[0]?.event).toEqual(whole)
  })

  it.each([
    ['null', null],
    ['an unknown kind', { ...event('1'), kind: 'poll' }],
    ['no author', { ...event('1'), author: undefined }],
    ['a number as text', { ...event('1'), text: 5 }],
    ['an empty id', event('')],
    ['an id that no text in UTF-8 can hold', event('\ud800')],
    [
      'a getter that throws',
      Object.defineProperty({ ...event('1') }, 'chat', {
        get: () => {
          throw new Error('no')
        },
      }),
    ],
    ['data that is nested too deep', { ...place, kind: 'notice', name: 'x', data: nested(100_000) }],
    ['data that is circular', { ...place, kind: 'notice', name: 'x', data: circular() }],
    ['data that is too large', { ...place, kind: 'notice', name: 'x', data: { text: 'x'.repeat(20_000) } }],
    ['data that is no data', { ...place, kind: 'notice', name: 'x', data: { date: new Date(0) } }],
    ['an attachment without a reference', { ...event('1'), attachments: [{ kind: 'image' }] }],
    ['a thousand attachments', { ...event('1'), attachments: Array(1000).fill(cat) }],
    ['a text without end', { ...event('1'), text: 'x'.repeat(5 * 2 ** 20) }],
    ['a join that would wait for minutes', { ...event('1'), join: { key: 'k', quietMs: 600_000 } }],
    ['a reaction without a person', { ...place, kind: 'reaction', messageId: '1', emoji: '👍', isRemoved: false }],
  ])('drops %s with an error that says so, and goes on', async (_what, malformed) => {
    const { intake, rows, errors } = await setUp()
    expect(await intake.receive(source, malformed as InboundEvent)).toBe('ignored')
    expect(errors).toHaveLength(1)
    expect(await intake.receive(source, event('1'))).toBe('stored')
    expect(rows).toHaveLength(1)
  })

  it('stores a text of 1 MB, and unpaired surrogates, as they are', async () => {
    const { intake, rows } = await setUp()
    const text = `${'x'.repeat(1_000_000)}\ud800`
    await intake.receive(source, { ...event('1'), text } as InboundEvent)
    expect(rows[0]?.event).toMatchObject({ text })
  })
})
