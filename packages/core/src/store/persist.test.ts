import { HermesError } from '@hermes/plugin-sdk'
import { expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { memoryStore, persist, type StateStore } from './index.js'

const remember = { id: 'x', name: 'account.remember', args: { platform: 'test', account: 'a', at: 1 } } as const
/** The second conversation of one name: no store takes that, however often it is tried. */
const impossible = { id: 'x', name: 'inbox.receive', args: firstOf('second') } as const

/** The first message of a session. */
function firstOf(key: string) {
  const chat = { platform: 'test', adapter: 'test', kind: 'dm', chatId: 'c' } as const
  const event = { kind: 'message', id: key, at: 1, chat, messageId: key, author: { id: 'u', isBot: false }, text: 'hello', mentions: 'us' } as const
  return { adapter: 'test', account: 'a', at: 1, events: [{ event, route: { key, conversation: 'c', chat, limit: 1 } }] }
}

/** Answers the first calls with an error, then as the store behind it does. */
function failing(store: StateStore, errors: HermesError[]): StateStore {
  return Object.assign(Object.create(store) as StateStore, {
    async execute(...call: Parameters<StateStore['execute']>) {
      const error = errors.shift()
      if (error) throw error
      return store.execute(...call)
    },
  })
}

const full = () => new HermesError('store.full', 'no space', { path: 'here', reason: 'no space' })

it('tries again, after longer and longer waits, until the store takes the command', async () => {
  const clock = new FakeClock()
  const store = memoryStore({ clock })
  await store.open()
  const waits: number[] = []
  const onFailure = (_: unknown, waitMs: number): void => void waits.push(waitMs)
  const signal = new AbortController().signal
  const persisting = persist(failing(store, [full(), full(), full()]), remember, { clock, signal, onFailure })
  for (let tries = 0; tries < 3; tries++) await clock.advance(await clock.slept())
  await persisting
  expect(waits).toEqual([100, 200, 400])
  expect(await store.execute('account.isKnown', { platform: 'test', account: 'a' })).toBe(true)
})

it('gives up when it is told to', async () => {
  const clock = new FakeClock()
  const giveUp = new AbortController()
  const persisting = persist(failing(memoryStore({ clock }), [full()]), remember, { clock, signal: giveUp.signal })
  await clock.slept()
  giveUp.abort(new Error('enough'))
  await expect(persisting).rejects.toThrow('enough')
})

it('rejects at once where trying again cannot help', async () => {
  const clock = new FakeClock()
  const store = memoryStore({ clock })
  const heard: unknown[] = []
  const options = { clock, signal: new AbortController().signal, onFailure: (error: unknown) => void heard.push(error) }
  await expect(persist(store, remember, options)).rejects.toMatchObject({ code: 'stopped' })
  await store.open()
  await store.execute('inbox.receive', firstOf('first'))
  await expect(persist(store, impossible, options)).rejects.toMatchObject({ code: 'store.failed' })
  expect(heard).toEqual([])
})
