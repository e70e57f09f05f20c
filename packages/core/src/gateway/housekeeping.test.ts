import { expect, it } from 'vitest'
import { memoryStore, type NewInboxRecord, type StateStore } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createHousekeeping } from './housekeeping.js'

const hourMs = 3_600_000
const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Settled events of now; the same ones again are duplicates as long as they are remembered. */
async function receive(store: StateStore, clock: FakeClock, count: number): Promise<number> {
  const events = Array.from({ length: count }, (_, index): NewInboxRecord => {
    const chat = { platform: 'test', kind: 'dm', chatId: 'c' } as const
    const author = { id: 'u', isBot: false }
    return { event: { kind: 'message', id: `e${index}`, at: 0, chat, messageId: 'm', author, text: 'hello', mentions: 'none' } }
  })
  const receipts = await store.execute('inbox.receive', { adapter: 'test', account: 'bot', events, at: clock.now() })
  const stored = receipts.filter((each) => each.receipt === 'stored')
  for (const { seq } of stored) await store.execute('inbox.settle', { seq, reason: 'denied', at: clock.now() })
  return stored.length
}

it('forgets all that is older than two days, hour by hour', async () => {
  const clock = new FakeClock()
  const store = memoryStore({ clock })
  await store.open()
  const ending = new AbortController()
  const housekeeping = createHousekeeping({ store, clock, logger: silent, signal: ending.signal })
  expect(await receive(store, clock, 2500)).toBe(2500)
  housekeeping.start()
  for (let hour = 0; hour < 48; hour++) await clock.advance(await clock.slept())
  expect(await receive(store, clock, 2500)).toBe(0)
  await clock.slept()
  await clock.advance(hourMs)
  await clock.slept()
  expect(await receive(store, clock, 2500)).toBe(2500)
  ending.abort()
  await housekeeping.stop()
})
