import { HermesError, type Adapter } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdapter, openReceipt, optionsFor, ScriptedHost, unhurried } from './adapter-rig.js'

let emulator: TelegramEmulator
let host: ScriptedHost
let adapter: Adapter<'telegram'>

beforeEach(async () => {
  emulator = await startTelegramEmulator()
  host = new ScriptedHost()
  adapter = await createAdapter(optionsFor(emulator))
})

afterEach(async () => {
  await adapter.disconnect(AbortSignal.abort())
  await emulator.stop()
})

const confirmed = (updateId: number) => emulator.waitFor(() => emulator.updates.isConfirmed(updateId))
const unavailable = (retryAfterMs: number) => new HermesError('inbox.unavailable', 'full', { retryAfterMs })

// adapters 1
test('a first boot drops the queue, and what comes then arrives', async () => {
  const chat = emulator.addPrivateChat()
  emulator.say(chat, 'old')
  await adapter.connect(host.context())
  await confirmed(emulator.say(chat, 'new').update_id)
  expect(emulator.ledger.of('deleteWebhook').map((call) => call.payload)).toEqual([{ drop_pending_updates: true }])
  expect(host.texts).toEqual(['new'])
  expect(host.told[0]).toBe('wired')
})

test('an option keeps even the queue of a first boot', async () => {
  const update = emulator.say(emulator.addPrivateChat(), 'old')
  adapter = await createAdapter({ ...optionsFor(emulator), keepPendingUpdates: true })
  await adapter.connect(host.context())
  await confirmed(update.update_id)
  expect(host.texts).toEqual(['old'])
})

// adapters 2
test('a reconnect keeps the queue, also when the webhook cannot be deleted', async () => {
  const update = emulator.say(emulator.addPrivateChat(), 'during the outage')
  emulator.faults.add({ kind: 'error-before', method: 'deleteWebhook' })
  await adapter.connect(host.context({ isReconnect: true }))
  await confirmed(update.update_id)
  expect(emulator.ledger.of('deleteWebhook').map((call) => call.payload)).toEqual([{ drop_pending_updates: false }])
  expect(host.texts).toEqual(['during the outage'])
})

// adapters 3
test('the eleventh lost connection in a row ends the connection, retryable', async () => {
  emulator.faults.add({ kind: 'drop-before', method: 'getUpdates', times: Infinity })
  await adapter.connect(host.context())
  const waits: number[] = []
  while (waits.length < 10) {
    waits.push(await host.clock.slept())
    await host.clock.advance(60_000)
  }
  await host.failed()
  expect(waits).toEqual([5, 10, 20, 40, 60, 60, 60, 60, 60, 60].map((seconds) => seconds * 1000))
  expect(host.failures).toMatchObject([{ code: 'network', isRetryable: true }])
  expect(host.told.filter((line) => line.startsWith('degraded'))).toHaveLength(1)
  expect(emulator.ledger.of('deleteWebhook')).toHaveLength(1)
})

// adapters 4
test('the sixth conflict in a row ends the connection once, for good', async () => {
  emulator.faults.add({ kind: 'conflict', method: 'getUpdates', times: Infinity })
  await adapter.connect(host.context())
  const waits: number[] = []
  while (waits.length < 5) {
    waits.push(await host.clock.slept())
    await host.clock.advance(60_000)
  }
  await host.failed()
  expect(waits).toEqual([20_000, 30_000, 40_000, 50_000, 60_000])
  expect(host.failures).toMatchObject([{ code: 'conflict', isRetryable: false }])
})

test('one conflict is survived: after the first wait messages arrive and the connection is well', async () => {
  emulator.faults.add({ kind: 'conflict', method: 'getUpdates' })
  await adapter.connect(host.context())
  const update = emulator.say(emulator.addPrivateChat(), 'hello')
  expect(await host.clock.slept()).toBe(20_000)
  await host.clock.advance(20_000)
  await confirmed(update.update_id)
  expect(host.texts).toEqual(['hello'])
  expect(host.told.findLast((line) => line !== 'wired')).toBe('alive')
})

test('5xx answers are tried again at most 400 ms apart for 10 s, then as lost connections', async () => {
  const fault = emulator.faults.add({ kind: 'error-before', status: 502, method: 'getUpdates', times: Infinity })
  await adapter.connect(host.context())
  let passed = 0
  let wait = await host.clock.slept()
  while (wait <= 400) {
    passed += wait
    await host.clock.advance(wait)
    wait = await host.clock.slept()
  }
  expect(passed).toBeGreaterThanOrEqual(10_000)
  expect(passed).toBeLessThan(10_400)
  expect(wait).toBe(5000)
  fault.remove()
})

test('a page that is no JSON counts as a 5xx answer', async () => {
  emulator.faults.add({ kind: 'garbage', method: 'getUpdates' })
  emulator.say(emulator.addPrivateChat(), 'behind the garbage')
  adapter = await createAdapter({ ...optionsFor(emulator), keepPendingUpdates: true })
  await adapter.connect(host.context())
  expect(await host.clock.slept()).toBe(100)
  await host.clock.advance(100)
  await emulator.waitFor(() => emulator.updates.pending.length === 0)
  expect(host.texts).toEqual(['behind the garbage'])
})

test('a rate limit is waited for as long as Telegram says', async () => {
  emulator.faults.add({ kind: 'rate-limit', retryAfterSeconds: 7, method: 'getUpdates' })
  await adapter.connect(host.context())
  expect(await host.clock.slept()).toBe(7000)
})

test('a poll that hangs longer than it may counts as a lost connection', async () => {
  adapter = await createAdapter({ ...optionsFor(emulator), requestTimeoutSeconds: 0.1, polling: { timeoutSeconds: 0 } })
  emulator.faults.add({ kind: 'hang', method: 'getUpdates' })
  await adapter.connect(host.context())
  expect(await host.clock.slept()).toBe(5000)
})

test('a token that stops working ends the connection for good', async () => {
  emulator.faults.add({ kind: 'bad-token', method: 'getUpdates' })
  await adapter.connect(host.context())
  await host.failed()
  expect(host.failures).toMatchObject([{ code: 'credentials', isRetryable: false }])
})

test('the offset stops before the first rejection, and the order never turns round', async () => {
  const chat = emulator.addPrivateChat()
  const first = emulator.say(chat, '1')
  const second = emulator.say(chat, '2')
  const third = emulator.say(chat, '3')
  let isFull = true
  host.answer = (event) => (isFull && event.id !== `update:${first.update_id}` ? Promise.reject(unavailable(250)) : Promise.resolve('stored'))
  await adapter.connect(host.context({ isReconnect: true }))
  expect(await host.clock.slept()).toBe(250)
  expect(host.texts).toEqual(['1', '2', '3'])
  isFull = false
  await host.clock.advance(250)
  await confirmed(third.update_id)
  expect(host.texts).toEqual(['1', '2', '3', '2', '3'])
  expect(emulator.ledger.of('getUpdates').map((call) => call.payload.offset)).toContain(second.update_id)
})

test('nothing is acknowledged, and nothing more fetched, while a receipt is open', async () => {
  const update = emulator.say(emulator.addPrivateChat(), 'slow')
  const stored = openReceipt()
  host.answer = () => stored.promise
  await adapter.connect(host.context({ isReconnect: true }))
  await host.heard()
  expect(emulator.ledger.of('getUpdates')).toHaveLength(1)
  expect(emulator.updates.isConfirmed(update.update_id)).toBe(false)
  stored.give()
  await confirmed(update.update_id)
})

test('what was not received before an end comes again to the next connection', async () => {
  const update = emulator.say(emulator.addPrivateChat(), 'again')
  host.answer = () => Promise.reject(unavailable(60_000))
  await adapter.connect(host.context({ isReconnect: true }))
  await host.clock.slept()
  await adapter.disconnect(unhurried())
  host.answer = () => Promise.resolve('stored')
  adapter = await createAdapter(optionsFor(emulator))
  await adapter.connect(host.context({ isReconnect: true }))
  await confirmed(update.update_id)
  expect(host.texts).toEqual(['again', 'again'])
})

test('an end confirms what was received', async () => {
  const update = emulator.say(emulator.addPrivateChat(), 'last')
  const stored = openReceipt()
  host.answer = () => stored.promise
  await adapter.connect(host.context({ isReconnect: true }))
  await host.heard()
  const ended = adapter.disconnect(unhurried())
  stored.give()
  await ended
  expect(emulator.updates.isConfirmed(update.update_id)).toBe(true)
})

test('updates that make no event are acknowledged in their place and logged once a kind', async () => {
  const chat = emulator.addPrivateChat()
  await adapter.connect(host.context())
  emulator.post({ message: { message_id: 1, date: 1, chat: { id: 5, type: 'private' }, text: 'nobody' } })
  emulator.post({ message: null })
  emulator.post({ message: 'nonsense' })
  await confirmed(emulator.say(chat, 'good').update_id)
  expect(host.texts).toEqual(['good'])
  expect(host.log.filter((line) => line.includes('malformed'))).toHaveLength(1)
  expect(host.log.filter((line) => line.includes('no-sender'))).toHaveLength(1)
})
