import { HermesError, type AdapterFailure } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdapter, optionsFor, ScriptedHost, unhurried } from './adapter-rig.js'

let emulator: TelegramEmulator
let host: ScriptedHost

beforeEach(async () => {
  emulator = await startTelegramEmulator({ token: '7000001:planted-token' })
  host = new ScriptedHost()
})

afterEach(() => emulator.stop())

async function failureOf(connecting: Promise<void>): Promise<AdapterFailure | undefined> {
  const error: unknown = await connecting.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return HermesError.is(error, 'adapter.failed') ? error.detail : undefined
}

test('the account is the id of the bot, known before the connect', async () => {
  expect((await createAdapter(optionsFor(emulator))).account).toBe('7000001')
})

test('a wrong token is a failure for good that names the option and not the token', async () => {
  emulator.faults.add({ kind: 'bad-token', method: 'getMe' })
  const adapter = await createAdapter(optionsFor(emulator))
  const failure = await failureOf(adapter.connect(host.context()))
  await adapter.disconnect(unhurried())
  expect(failure).toMatchObject({ code: 'credentials', isRetryable: false })
  expect(failure?.message).toContain('token')
  expect(JSON.stringify(failure)).not.toContain('planted')
})

test.each(['getMe', 'deleteWebhook'] as const)('a lost connection at %s of a first boot is retryable and holds no token', async (method) => {
  emulator.faults.add({ kind: 'drop-before', method })
  const adapter = await createAdapter(optionsFor(emulator))
  const failure = await failureOf(adapter.connect(host.context()))
  await adapter.disconnect(unhurried())
  expect(failure).toMatchObject({ code: 'network', isRetryable: true })
  expect(JSON.stringify(failure)).not.toContain('planted')
})

test.each(['{}', '{"ok":true,"result":{}}', '<html>'])('an answer to getMe like %s is a retryable failure', async (body) => {
  emulator.faults.add({ kind: 'garbage', method: 'getMe', body })
  const adapter = await createAdapter(optionsFor(emulator))
  expect(await failureOf(adapter.connect(host.context()))).toMatchObject({ isRetryable: true })
  await adapter.disconnect(unhurried())
})

test('a disconnect and an abort each end a connect under way', async () => {
  const fault = emulator.faults.add({ kind: 'hang', method: 'getMe', times: 2 })
  const adapter = await createAdapter(optionsFor(emulator))
  const disconnected = failureOf(adapter.connect(host.context()))
  await emulator.waitFor(() => fault.hits === 1)
  await adapter.disconnect(unhurried())
  expect(await disconnected).toMatchObject({ isRetryable: true })

  const other = await createAdapter(optionsFor(emulator))
  const aborted = failureOf(other.connect(host.context()))
  await emulator.waitFor(() => fault.hits === 2)
  host.end.abort()
  expect(await aborted).toMatchObject({ isRetryable: true })
  await other.disconnect(unhurried())
})

test('a disconnect works before a connect, twice, and while receipts are open and the hurry is over', async () => {
  const adapter = await createAdapter(optionsFor(emulator))
  await adapter.disconnect(unhurried())
  emulator.say(emulator.addPrivateChat(), 'never stored')
  host.answer = () => new Promise(() => {})
  await adapter.connect(host.context({ isReconnect: true }))
  await host.heard()
  await adapter.disconnect(AbortSignal.abort())
  await adapter.disconnect(unhurried())
  expect(emulator.updates.pending).toHaveLength(1)
})

test('50 connections leave no handle', async () => {
  const before = process.getActiveResourcesInfo().length
  for (let round = 0; round < 50; round++) {
    const adapter = await createAdapter(optionsFor(emulator))
    await adapter.connect(host.context({ isReconnect: true }))
    await emulator.waitFor(() => emulator.updates.isPolled)
    await adapter.disconnect(unhurried())
  }
  await emulator.stop()
  await new Promise((resolve) => setImmediate(resolve))
  expect(process.getActiveResourcesInfo().length).toBeLessThanOrEqual(before)
})
