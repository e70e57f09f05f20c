import { HermesError } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { StateStore } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import type { Delivery } from './ports.js'
import { chatOf, quiet, setUpDelivery, type DeliveryRigOptions } from './delivery-rig.js'

const rigs: { readonly delivery: Delivery; readonly clock: FakeClock }[] = []
/** The first text that is stripped loads the parser, which takes real time. */
const parserLoads = { timeout: 10_000, interval: 5 }
const ann = chatOf('ann')
const bob = chatOf('bob')

async function setUp(options: Partial<Omit<DeliveryRigOptions, 'clock'>> & { random?: () => number } = {}) {
  const clock = new FakeClock(options.random ? { random: options.random } : {})
  const rig = await setUpDelivery({ ...options, clock })
  const known = { ...rig, clock }
  rigs.push(known)
  return known
}

afterEach(async () => {
  for (const { delivery, clock } of rigs.splice(0)) await Promise.all([delivery.stop(), clock.advance(5000)])
})

describe('delivery', () => {
  it('sends what it takes and settles the row', async () => {
    const { post, texts, open, delivery } = await setUp()
    await post(ann, 'hello')
    await quiet()
    expect(texts()).toEqual(['hello'])
    expect(await open()).toEqual([])
    expect(delivery.status()).toEqual({ waiting: 0, hasMore: false, sent: 1, dropped: 0, held: 0 })
  })

  it('stores the first piece as attempting where its call follows at once, and only there', async () => {
    const { delivery, connection, post, adapter } = await setUp()
    adapter.text = { limit: 40, unit: 'utf16', dialect: 'markdown' }
    expect(delivery.compose(ann, 'word '.repeat(20)).map((row) => row.state)).toEqual(['attempting', 'pending', 'pending', 'pending'])
    adapter.script.push('hang')
    await post(ann, 'first')
    expect(delivery.compose(ann, 'next')[0]?.state).toBe('pending')
    connection.isUp = false
    expect(delivery.compose(bob, 'away')[0]?.state).toBe('pending')
  })

  it('marks a pending row in the store before its call', async () => {
    const states: (string | undefined)[] = []
    const rig = await setUp()
    rig.adapter.script.push('hang')
    await rig.post(ann, 'first')
    const [second] = await rig.add(ann, 'second')
    const answer = rig.adapter.answer.bind(rig.adapter)
    rig.adapter.answer = async (call) => {
      states.push((await rig.open()).find((row) => row.key === second?.key)?.state)
      return answer(call)
    }
    if (second) rig.delivery.take([second])
    await rig.clock.advance(60_000)
    await quiet()
    expect(states.at(-1)).toBe('attempting')
  })

  // adapters 7
  it.each([0, 0.999])('waits between 2 and 3 seconds after a first refusal without a date, and sends once more (chance %f)', async (chance) => {
    const { post, adapter, clock, texts } = await setUp({ random: () => chance })
    adapter.script.push({ status: 'rejected', reason: 'unavailable', detail: 'refused' })
    await post(ann, 'hello')
    await quiet()
    const [waitMs = 0] = clock.sleeping
    expect(waitMs).toBeGreaterThanOrEqual(2000)
    expect(waitMs).toBeLessThan(3000)
    await clock.advance(waitMs - 1)
    await quiet()
    expect(texts()).toEqual(['hello'])
    await clock.advance(1)
    await quiet()
    expect(texts()).toEqual(['hello', 'hello'])
  })

  // adapters 8
  it('obeys a date of the platform: one send before it, one after, and nothing else is shown', async () => {
    const { post, adapter, clock } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'rate-limited', detail: 'slow down', retryAfterMs: 90_000 })
    await post(ann, 'hello')
    await quiet()
    await clock.advance(89_999)
    expect(adapter.seen).toHaveLength(1)
    await clock.advance(1)
    await quiet()
    expect(adapter.seen.map(({ text, key }) => ({ text, key }))).toEqual([
      { text: 'hello', key: adapter.seen[0]?.key },
      { text: 'hello', key: adapter.seen[0]?.key },
    ])
  })

  // adapters 9
  it('keeps every date of a chat that is refused again and again, and the row stays due without a notice', async () => {
    const { post, adapter, clock, open, texts } = await setUp()
    for (const retryAfterMs of [5000, 7000, 9000]) adapter.script.push({ status: 'rejected', reason: 'rate-limited', detail: 'no', retryAfterMs })
    await post(ann, 'hello')
    await quiet()
    for (const [waitMs, sends] of [
      [5000, 2],
      [7000, 3],
    ] as const) {
      await clock.advance(waitMs - 1)
      expect(adapter.seen).toHaveLength(sends - 1)
      await clock.advance(1)
      await quiet()
      expect(adapter.seen).toHaveLength(sends)
    }
    expect(await open()).toMatchObject([{ state: 'pending', attempts: 0, refusals: 3, dueAt: clock.now() + 9000 }])
    expect(new Set(texts())).toEqual(new Set(['hello']))
  })

  // adapters 10
  it('repeats an unknown call once, under a mark, and then holds the row', async () => {
    const { post, adapter, texts, open, delivery, loud } = await setUp()
    adapter.script.push({ status: 'unknown', detail: 'timed out' }, { status: 'unknown', detail: 'timed out' })
    await post(ann, 'hello')
    await quiet()
    expect(texts()).toEqual(['hello', '↻ possibly repeated:\n\nhello'])
    expect(await open()).toEqual([])
    expect(delivery.status()).toMatchObject({ held: 1, sent: 0 })
    expect(loud).toHaveLength(1)
  })

  it('holds an unknown row at once where the rule says so', async () => {
    const { post, adapter, texts, delivery } = await setUp({ onUnknown: 'hold' })
    adapter.script.push({ status: 'unknown', detail: 'timed out' })
    await post(ann, 'hello')
    await quiet()
    expect(texts()).toEqual(['hello'])
    expect(delivery.status().held).toBe(1)
  })

  it('says how each call ended, once, and whether it was the last', async () => {
    const { post, adapter, clock, heard } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'rate-limited', detail: 'slow down', retryAfterMs: 1000 })
    const [row] = await post(ann, 'hello')
    await quiet()
    expect(heard).toEqual([{ key: row?.key, status: 'rejected', isLast: false }])
    await clock.advance(1000)
    await quiet()
    expect(heard.slice(1)).toEqual([{ key: row?.key, status: 'sent', isLast: true }])
  })

  it('splits a repeated piece that the mark makes too long, and still repeats it once only', async () => {
    const { post, adapter, texts, delivery } = await setUp()
    adapter.text = { limit: 60, unit: 'utf16', dialect: 'markdown' }
    const unknown = { status: 'unknown', detail: 'timed out' } as const
    adapter.script.push(unknown, unknown, unknown)
    await post(ann, 'word '.repeat(12).trim())
    await quiet()
    expect(texts()).toHaveLength(3)
    expect(texts()[1]).toMatch(/^↻ possibly repeated:\n\nword .*\(1\/2\)$/)
    expect(delivery.status()).toMatchObject({ held: 2, waiting: 0 })
  })

  // adapters 6, adapters 11
  it('sends a piece whose format is refused once more as plain text, whole', async () => {
    const { post, adapter } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'bad-format', detail: "can't parse entities" })
    const text = `**Bold** ${'and a long tail, '.repeat(230)}[end](https://example.com)`
    await post(ann, text)
    await vi.waitFor(() => expect(adapter.seen).toHaveLength(2), parserLoads)
    const plain = `Bold ${'and a long tail, '.repeat(230)}end (https://example.com)`
    expect(adapter.seen.map((message) => [message.format, message.text])).toEqual([
      ['markdown', text],
      ['plain', plain],
    ])
  })

  it('splits a piece that the platform finds too long, in place', async () => {
    const { post, adapter, texts } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'too-long', detail: 'too long' })
    const first = 'word '.repeat(20).trim()
    await Promise.all([post(ann, first), post(ann, 'next')])
    await quiet()
    expect(texts()[0]).toBe(first)
    expect(texts().slice(1).join(' ')).toMatch(/^word .*\(1\/(\d)\) word .*\(\1\/\1\) next$/)
  })

  it('sends without the answered message where that is gone', async () => {
    const { post, adapter } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'message-gone', detail: 'no such message' })
    await post(ann, 'hello', { replyTo: '7' })
    await quiet()
    expect(adapter.seen.map(({ replyTo }) => replyTo)).toEqual(['7', undefined])
  })

  it('sends to the parent where a thread is gone', async () => {
    const { post, adapter } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'thread-gone', detail: 'no such thread' })
    await post(chatOf('forum', { threadId: '9' }), 'hello')
    await quiet()
    expect(adapter.seen.map(({ chat }) => chat.threadId)).toEqual(['9', undefined])
  })

  it('follows a chat that moved, and later rows go there in order', async () => {
    const { post, adapter } = await setUp()
    const moved = { status: 'rejected', reason: 'chat-gone', detail: 'moved', movedTo: { platform: 'test', kind: 'group', chatId: 'new' } } as const
    adapter.script.push(moved, moved)
    await Promise.all([post(ann, 'one'), post(ann, 'two')])
    await quiet()
    const arrived = adapter.seen.filter(({ chat }) => chat.chatId === 'new').map(({ text }) => text)
    expect(arrived).toEqual(['one', 'two'])
  })

  it('gives a row of a dead chat up, loud, and goes on with the next', async () => {
    const { post, adapter, texts, delivery, loud } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'chat-gone', detail: 'deleted' })
    await Promise.all([post(ann, 'lost'), post(ann, 'later')])
    await quiet()
    expect(texts()).toEqual(['lost', 'later'])
    expect(delivery.status()).toMatchObject({ dropped: 1, sent: 1 })
    expect(loud).toEqual([expect.stringContaining('given up')])
  })

  it('lets a row wait for the next connection when the credentials are refused', async () => {
    const { post, adapter, connection, delivery, failures, texts } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'credentials', detail: 'token revoked' })
    await post(ann, 'hello')
    await quiet()
    expect(failures).toMatchObject([{ code: 'credentials', isRetryable: false }])
    connection.isUp = true
    await quiet()
    expect(texts()).toHaveLength(1)
    await delivery.connected('bot')
    await quiet()
    expect(texts()).toEqual(['hello', 'hello'])
    expect(delivery.status().sent).toBe(1)
  })

  it('does not wait out the ladder of a lost connection once there is a new one', async () => {
    const { post, adapter, delivery, texts } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'unavailable', detail: 'connection lost' })
    await post(ann, 'hello')
    await quiet()
    await delivery.connected('bot')
    await quiet()
    expect(texts()).toHaveLength(2)
  })

  it('counts a throw as unknown, and as a defect of the adapter', async () => {
    const { post, adapter, texts, loud } = await setUp()
    adapter.script.push(new Error('boom'))
    await post(ann, 'hello')
    await quiet()
    expect(texts()).toEqual(['hello', expect.stringContaining('possibly repeated')])
    expect(loud).toEqual([expect.stringContaining('its defect')])
  })

  it('counts an answer that is no outcome as unknown, and believes a careless one', async () => {
    const { post, adapter, texts, loud, delivery } = await setUp()
    adapter.script.push({ status: 'done' } as never, { status: 'sent' } as never, { status: 'rejected', reason: 'no-such-reason' } as never)
    await post(ann, 'hello')
    await post(ann, 'lost')
    await quiet()
    expect(texts()).toEqual(['hello', expect.stringContaining('possibly repeated'), 'lost'])
    expect(loud).toEqual([expect.stringContaining('its defect'), expect.stringContaining('given up')])
    expect(delivery.status()).toMatchObject({ sent: 1, dropped: 1 })
  })

  it('ends a call that never settles, and counts it as unknown', async () => {
    const { post, adapter, clock, texts } = await setUp()
    adapter.script.push('hang')
    await post(ann, 'hello')
    await quiet()
    await clock.advance(60_000)
    await quiet()
    expect(adapter.aborted).toBe(1)
    expect(texts()).toHaveLength(2)
  })

  it('sends the rows of a chat in order, one at a time', async () => {
    const { post, adapter, texts } = await setUp()
    const answer = adapter.answer.bind(adapter)
    let underWay = 0
    let most = 0
    adapter.answer = async (call) => {
      most = Math.max(most, ++underWay)
      await quiet()
      underWay--
      return answer(call)
    }
    for (let index = 0; index < 5; index++) await post(ann, `message ${index}`)
    for (let turn = 0; turn < 10; turn++) await quiet()
    expect(texts()).toEqual([0, 1, 2, 3, 4].map((index) => `message ${index}`))
    expect(most).toBe(1)
  })

  it('delays no other chat while one waits', async () => {
    const { post, adapter, texts } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'rate-limited', detail: 'no', retryAfterMs: 90_000 })
    await post(ann, 'first')
    await quiet()
    await post(ann, 'behind it')
    await post(bob, 'elsewhere')
    await quiet()
    expect(texts()).toEqual(['first', 'elsewhere'])
  })

  it('makes at most 64 calls of one adapter at once', async () => {
    const { post, adapter } = await setUp()
    adapter.script.push(...Array.from({ length: 64 }, () => 'hang' as const))
    for (let index = 0; index < 70; index++) await post(chatOf(`chat ${index}`), 'hello')
    await quiet()
    expect(adapter.seen).toHaveLength(64)
  })

  it('sends nothing while the store does not take the mark, and sends once it does', async () => {
    const faults = faultyStore('outbox.attempt', 2)
    const { post, adapter, clock, texts, connection, delivery } = await setUp({ wrap: faults.wrap, isConnected: false })
    await post(ann, 'hello')
    connection.isUp = true
    await delivery.connected('bot')
    await quiet()
    expect(adapter.seen).toEqual([])
    await clock.advance(300)
    await quiet()
    expect(texts()).toEqual(['hello'])
  })

  it('never sends again because the store does not take the end of a call', async () => {
    const faults = faultyStore('outbox.settle', 5)
    const { post, adapter, clock, open } = await setUp({ wrap: faults.wrap })
    await post(ann, 'hello')
    await quiet()
    expect(await open()).toMatchObject([{ state: 'attempting' }])
    for (let turn = 0; turn < 5; turn++) await clock.advance(5000)
    await quiet()
    expect(await open()).toEqual([])
    expect(adapter.seen).toHaveLength(1)
  })

  it('lets nothing overtake a row that the store will never take, and says so', async () => {
    const failed = new HermesError('store.failed', 'planned', { command: 'outbox.settle', reason: 'planned' })
    const { post, texts, loud } = await setUp({ wrap: faultyStore('outbox.settle', 1, failed).wrap })
    await post(ann, 'stuck')
    await quiet()
    await post(ann, 'behind it')
    await post(bob, 'elsewhere')
    await quiet()
    expect(texts()).toEqual(['stuck', 'elsewhere'])
    expect(loud).toEqual([expect.stringContaining('cannot go on')])
  })

  it('strips the formatting for chats that show none', async () => {
    const { post, adapter, texts } = await setUp()
    adapter.text = { limit: 4096, unit: 'utf16', dialect: 'plain' }
    await post(ann, '**Bold** and [a link](https://example.com)')
    await vi.waitFor(() => expect(texts()).toEqual(['Bold and a link (https://example.com)']), parserLoads)
  })

  it('splits a row whose chat turns out to take less than it was composed for', async () => {
    const { add, adapter, delivery, texts } = await setUp()
    const rows = await add(ann, 'word '.repeat(20).trim())
    adapter.text = { limit: 50, unit: 'utf16', dialect: 'markdown' }
    delivery.take(rows)
    await quiet()
    expect(texts().length).toBeGreaterThan(1)
    expect(texts().every((text) => text.length <= 50)).toBe(true)
  })
})

/** A store that refuses a command some times. */
function faultyStore(
  name: string,
  times: number,
  failure: Error = new HermesError('store.busy', 'planned', { path: 'test', waitedMs: 0 }),
): { wrap: (store: StateStore) => StateStore } {
  let left = times
  return {
    wrap: (store) => ({
      engine: store.engine,
      open: () => store.open(),
      close: () => store.close(),
      health: () => store.health(),
      execute: async (command, args, options) => {
        if (command === name && left-- > 0) throw failure
        return store.execute(command, args, options)
      },
    }),
  }
}
