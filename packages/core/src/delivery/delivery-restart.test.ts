import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore, type NewOutboxRecord, type StateStore } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { chatOf, quiet, setUpDelivery, type DeliveryRigOptions } from './delivery-rig.js'

const rigs: Awaited<ReturnType<typeof setUpDelivery>>[] = []
const ann = chatOf('ann')

async function start(options: Partial<DeliveryRigOptions>) {
  const clock = options.clock instanceof FakeClock ? options.clock : new FakeClock()
  const rig = await setUpDelivery({ ...options, clock })
  rigs.push(rig)
  await quiet()
  return { ...rig, clock }
}

afterEach(async () => {
  for (const rig of rigs.splice(0)) await rig.delivery.stop()
})

/** A store as an earlier life left it. */
async function storeWith(rows: readonly (Partial<NewOutboxRecord> & { readonly key: string })[]): Promise<StateStore> {
  const store = memoryStore()
  await store.open()
  const whole = rows.map((row): NewOutboxRecord => ({
    chat: ann,
    message: { text: row.key, format: 'markdown' },
    piece: { index: 0, count: 1 },
    state: 'pending',
    dueAt: 0,
    ...row,
  }))
  await store.execute('outbox.add', { rows: whole, at: 0 })
  return store
}

describe('delivery after a restart', () => {
  it('goes on with what was pending, in order', async () => {
    const { texts } = await start({ store: await storeWith([{ key: 'one' }, { key: 'two' }]) })
    expect(texts()).toEqual(['one', 'two'])
  })

  it('repeats what was attempting once, under a mark', async () => {
    const { texts, open } = await start({ store: await storeWith([{ key: 'one', state: 'attempting' }, { key: 'two' }]) })
    expect(texts()).toEqual(['↻ possibly repeated:\n\none', 'two'])
    expect(await open()).toEqual([])
  })

  it('holds what was attempting for the second time', async () => {
    const { texts, delivery } = await start({ store: await storeWith([{ key: 'one', state: 'attempting', attempts: 1 }]) })
    expect(texts()).toEqual([])
    expect(delivery.status().held).toBe(1)
  })

  it('holds what was attempting at once where the rule says so', async () => {
    const { texts, delivery } = await start({ store: await storeWith([{ key: 'one', state: 'attempting' }]), onUnknown: 'hold' })
    expect(texts()).toEqual([])
    expect(delivery.status().held).toBe(1)
  })

  it('leaves what is final or held alone', async () => {
    const store = await storeWith([{ key: 'sent' }, { key: 'dropped' }, { key: 'held' }])
    for (const state of ['sent', 'dropped', 'held'] as const)
      await store.execute('outbox.settle', { key: state, state, outcome: { status: 'unknown' }, at: 0 })
    const { texts } = await start({ store })
    expect(texts()).toEqual([])
  })

  it('keeps the date of a row, and what is behind it waits too', async () => {
    const clock = new FakeClock()
    const { texts } = await start({ clock, store: await storeWith([{ key: 'one', dueAt: clock.now() + 30_000 }, { key: 'two' }]) })
    await clock.advance(29_999)
    expect(texts()).toEqual([])
    await clock.advance(1)
    await quiet()
    expect(texts()).toEqual(['one', 'two'])
  })

  it('sends nothing before the adapter is connected', async () => {
    const { texts, connection, delivery } = await start({ store: await storeWith([{ key: 'one' }]), isConnected: false })
    expect(texts()).toEqual([])
    connection.isUp = true
    await delivery.connected('bot')
    await quiet()
    expect(texts()).toEqual(['one'])
  })

  it('marks nothing in advance while rows of the earlier life are not loaded', async () => {
    const { delivery } = await start({ isConnected: false })
    expect(delivery.compose(ann, 'hello')[0]?.state).toBe('pending')
  })

  it('delivers once what it loads and is handed as well', async () => {
    const { add, connection, delivery, texts } = await start({ isConnected: false })
    const rows = await add(ann, 'hello')
    connection.isUp = true
    await delivery.connected('bot')
    delivery.take(rows)
    await quiet()
    delivery.take(rows)
    await quiet()
    expect(texts()).toEqual(['hello'])
  })

  it('delivers all of more rows than memory takes, in order', async () => {
    const keys = Array.from({ length: 1300 }, (_, index) => `piece ${index}`)
    const store = await storeWith(keys.map((key, index) => ({ key, chat: chatOf(`chat ${index % 7}`) })))
    const { adapter, delivery, add } = await start({ store })
    const [late] = await add(chatOf('chat 3'), 'late')
    if (late) delivery.take([late])
    for (let turn = 0; turn < 200 && delivery.status().sent < 1301; turn++) await quiet()
    expect(adapter.seen).toHaveLength(1301)
    const third = adapter.seen.filter(({ chat }) => chat.chatId === 'chat 3').map(({ text }) => text)
    expect(third).toEqual([...keys.filter((_, index) => index % 7 === 3), 'late'])
    expect(delivery.status().hasMore).toBe(false)
  })
})
