import { HermesError, type Adapter, type AdapterFailure } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LoopbackServer } from '../emulators/loopback-server.js'
import { createAdapter, openReceipt, optionsFor, ScriptedHost, unhurried } from './adapter-rig.js'
import { serveRequests } from './request-server.js'

const secret = 'planted-secret_1'
const url = 'https://bot.example/webhooks/telegram'

let emulator: TelegramEmulator
let host: ScriptedHost
let adapter: Adapter<'telegram'>
let server: LoopbackServer

beforeEach(async () => {
  emulator = await startTelegramEmulator()
  host = new ScriptedHost()
  adapter = await createAdapter({ ...optionsFor(emulator), webhook: { url, secret } })
  server = await serveRequests(async (incoming) => (await adapter.handleRequest?.(incoming)) ?? new Response(null, { status: 404 }))
  emulator.webhook.route(server.url)
})

afterEach(async () => {
  await adapter.disconnect(AbortSignal.abort())
  await server.goOffline()
  await emulator.stop()
})

const delivered = (count: number) => emulator.waitFor(() => emulator.webhook.deliveries.length === count)
const statuses = () => emulator.webhook.deliveries.map((delivery) => delivery.status)

// adapters 5
test('a webhook without a secret does not connect, for good, and nothing is asked of Telegram', async () => {
  adapter = await createAdapter({ ...optionsFor(emulator), webhook: { url } })
  const error: unknown = await adapter.connect(host.context()).catch((reason: unknown) => reason)
  const failure: AdapterFailure | undefined = HermesError.is(error, 'adapter.failed') ? error.detail : undefined
  expect(failure).toMatchObject({ code: 'misconfigured', isRetryable: false })
  expect(failure?.message).toContain('webhook.secret')
  expect(emulator.ledger.calls).toHaveLength(0)
})

test('updates are posted and acknowledged, and the queue of a first boot is dropped, of a reconnect kept', async () => {
  const chat = emulator.addPrivateChat()
  emulator.say(chat, 'old')
  await adapter.connect(host.context())
  emulator.say(chat, 'new')
  await delivered(1)
  expect(host.texts).toEqual(['new'])
  expect(emulator.updates.pending).toHaveLength(0)
  expect(host.told).toContain('alive')
  await adapter.disconnect(unhurried())
  emulator.say(chat, 'meanwhile')
  await delivered(2)
  expect(statuses()).toEqual([200, 503])
  adapter = await createAdapter({ ...optionsFor(emulator), webhook: { url, secret } })
  await adapter.connect(host.context({ isReconnect: true }))
  emulator.webhook.retry()
  await emulator.waitFor(() => emulator.updates.pending.length === 0)
  expect(host.texts).toEqual(['new', 'meanwhile'])
  const [first, second] = emulator.ledger.of('setWebhook').map((call) => call.payload)
  expect(first).toMatchObject({ url, secret_token: secret, drop_pending_updates: true, max_connections: 1 })
  expect(first?.allowed_updates).toContain('message_reaction')
  expect(second).toMatchObject({ drop_pending_updates: false })
  expect(emulator.ledger.of('deleteWebhook')).toHaveLength(0)
})

test('an update is answered when it is stored, not before, and asked for again when it could not be', async () => {
  await adapter.connect(host.context())
  const stored = openReceipt()
  host.answer = () => stored.promise
  emulator.say(emulator.addPrivateChat(), 'slow')
  await host.heard()
  expect(emulator.webhook.deliveries).toHaveLength(0)
  stored.give()
  await delivered(1)
  host.answer = () => Promise.reject(new HermesError('inbox.unavailable', 'full', { retryAfterMs: 1000 }))
  emulator.say(emulator.addPrivateChat(), 'again')
  await delivered(2)
  expect(statuses()).toEqual([200, 503])
  expect(emulator.updates.pending).toHaveLength(1)
  host.answer = () => Promise.resolve('stored')
  emulator.webhook.retry()
  await emulator.waitFor(() => emulator.updates.pending.length === 0)
})

test('the silence of a webhook is no stall, and a poll is never asked for', async () => {
  expect(adapter.stallAfterMs).toBeUndefined()
  await adapter.connect(host.context())
  expect(emulator.ledger.of('getUpdates')).toHaveLength(0)
})

test('a bot that polls takes no requests', async () => {
  adapter = await createAdapter(optionsFor(emulator))
  await adapter.connect(host.context())
  expect((await adapter.handleRequest?.(new Request('http://bot.example/telegram', { method: 'POST', body: '{}' })))?.status).toBe(404)
})

describe('a request that is not of Telegram', () => {
  const good = { 'x-telegram-bot-api-secret-token': secret }
  const update = (text: string, id = 900) =>
    JSON.stringify({ update_id: id, message: { message_id: 1, date: 1, chat: { id: 5, type: 'private' }, from: { id: 5, first_name: 'A' }, text } })

  beforeEach(() => adapter.connect(host.context()))

  /** Speaks HTTP by itself: clients would tidy up what is wrong. */
  function send(headers: Record<string, string | string[]>, body: string | Buffer = update('x'), method = 'POST'): Promise<number> {
    return new Promise((resolve, reject) => {
      const call = request(`${server.url}/telegram`, { method, headers, agent: false }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      call.on('error', reject)
      call.end(method === 'GET' ? undefined : body)
    })
  }

  test.each([
    ['no secret', {}],
    ['a wrong secret', { 'x-telegram-bot-api-secret-token': 'planted-secret_2' }],
    ['an empty secret', { 'x-telegram-bot-api-secret-token': '' }],
    ['two secrets, one of them right', { 'x-telegram-bot-api-secret-token': ['wrong', secret] }],
    ['the right secret twice', { 'x-telegram-bot-api-secret-token': [secret, secret] }],
  ])('is refused with %s', async (_what, headers) => {
    expect(await send(headers)).toBe(401)
    expect(host.events).toHaveLength(0)
  })

  test('is refused where it is compressed, no POST, no JSON, or no update', async () => {
    expect(await send({ ...good, 'content-encoding': 'gzip' }, gzipSync(update('x')))).toBe(415)
    expect(await send(good, '', 'GET')).toBe(405)
    expect(await send(good, '{"update_id": 1')).toBe(400)
    expect(await send(good, '[]')).toBe(400)
    expect(await send(good, '{"update_id": "1"}')).toBe(400)
    expect(host.events).toHaveLength(0)
    expect(await send(good)).toBe(200)
  })

  test('is refused where it is too large, whether it says so or not', async () => {
    const large = update('x'.repeat(1024 * 1024))
    expect(await send(good, large)).toBe(413)
    expect(await send({ ...good, 'transfer-encoding': 'chunked' }, large)).toBe(413)
    expect(host.events).toHaveLength(0)
    expect(await send(good, update('y'.repeat(900_000)))).toBe(200)
  })

  test('is refused where it is nested too deep, also inside an update', async () => {
    expect(await send(good, `${'['.repeat(500_000)}${']'.repeat(500_000)}`)).toBe(400)
    expect(await send(good, `{"update_id":1,"message":${'{"a":'.repeat(100)}1${'}'.repeat(100)}}`)).toBe(400)
    expect(await send(good, update('[[{{"'.repeat(100)))).toBe(200)
  })

  test('is refused after ten seconds where it comes slowly, and one that breaks off leaves nothing', async () => {
    const call = request(`${server.url}/telegram`, { method: 'POST', headers: { ...good, 'content-length': 1000 }, agent: false })
    const status = new Promise<number>((resolve, reject) => {
      call.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject)
    })
    call.write('{"update_id":')
    expect(await host.clock.slept()).toBe(10_000)
    await host.clock.advance(10_000)
    expect(await status).toBe(408)
    call.destroy()
    expect(host.events).toHaveLength(0)
  })
})
