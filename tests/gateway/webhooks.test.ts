import { telegram } from '@hermes/adapter-telegram'
import { createAgent, createGateway, type Gateway } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import type { Adapter, Logger } from '@hermes/plugin-sdk'
import { definePlugin } from '@hermes/plugin-sdk'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTelegramEmulator, type TelegramEmulator } from '../emulators/index.js'
import type { LoopbackServer } from '../emulators/loopback-server.js'
import { serveRequests } from '../telegram/request-server.js'

let emulator: TelegramEmulator
let gateway: Gateway
let server: LoopbackServer
const log: string[] = []
const write = (fields: object, message: string): void => void log.push(`${message} ${JSON.stringify(fields)}`)
const logger: Logger = { debug: write, info: write, warn: write, error: write }

/** A platform that answers requests as the test says. */
function webPlatform(handleRequest?: Adapter['handleRequest']) {
  const create = (): Adapter => ({
    platform: 'web',
    connect: (context) => context.wireNative({}),
    disconnect: async () => {},
    capabilities: () => ({ text: { limit: 100, unit: 'utf16', dialect: 'plain' } }),
    send: async () => ({ status: 'sent', ids: [] }),
    ...(handleRequest && { handleRequest }),
  })
  return definePlugin({ id: 'web', register: (host) => void host.registerPlatform({ platform: 'web', options: { allowAll: true }, create }) })
}

async function startGateway(...plugins: readonly ReturnType<typeof webPlatform>[]): Promise<void> {
  gateway = createGateway({ agent: createAgent({ model: ScriptedModel.echo() }), plugins, logger })
  await gateway.start()
  const settled = (): boolean => gateway.health().adapters.every(({ state }) => state === 'connected' || state === 'fatal')
  await expect.poll(settled, { interval: 5 }).toBe(true)
}

const ask = async (path: string): Promise<number> =>
  (await gateway.handleRequest(new Request(`http://bot.example${path}`, { method: 'POST' }))).status

beforeEach(async () => {
  emulator = await startTelegramEmulator()
  server = await serveRequests((request) => gateway.handleRequest(request))
  log.length = 0
})

afterEach(async () => {
  await gateway.stop()
  await server.goOffline()
  await emulator.stop()
})

it('answers a message that Telegram posts to the URL of the bot', async () => {
  emulator.webhook.route(server.url)
  const webhook = { url: 'https://bot.example/webhooks/second', secret: 'planted-secret' }
  await startGateway(telegram({ token: emulator.token, apiRoot: emulator.url, name: 'second', allowAll: true, webhook }))
  const chat = emulator.addPrivateChat()
  emulator.say(chat, 'hello')
  await emulator.waitFor(() => emulator.answers(chat).length === 1)
  expect(emulator.webhook.deliveries.map(({ status }) => status)).toEqual([200])
  expect(await ask('/webhooks/second')).toBe(401)
  expect(log.join('\n')).not.toContain('planted')
})

// adapters 5
it('shows a bot with a webhook and no secret as one that cannot work', async () => {
  await startGateway(telegram({ token: emulator.token, apiRoot: emulator.url, allowAll: true, webhook: { url: 'https://bot.example/telegram' } }))
  expect(gateway.health().adapters).toMatchObject([{ state: 'fatal', reason: expect.stringContaining('webhook.secret') as string }])
  expect(await ask('/telegram')).toBe(503)
})

it('routes by the last segment of the path, and knows nobody else', async () => {
  await startGateway(webPlatform(async (request) => new Response(new URL(request.url).search, { status: 202 })))
  expect(await ask('/web?a=1')).toBe(202)
  expect(await ask('/any/where/web/')).toBe(202)
  for (const path of ['/', '/other', '/web/more', '/%', '/__proto__']) expect(await ask(path)).toBe(404)
})

it('has no requests for a platform that takes none, nor after the end', async () => {
  await startGateway(webPlatform())
  expect(await ask('/web')).toBe(404)
  await gateway.stop()
  expect([404, 503]).toContain(await ask('/web'))
})

it.each([
  ['rejects', () => Promise.reject(new Error('broken'))],
  ['rejects with nothing', () => Promise.reject(undefined as unknown as Error)],
  [
    'throws',
    () => {
      throw new Error('broken')
    },
  ],
  ['answers with nothing', async () => undefined as never],
])('answers with 500 for an adapter that %s, and says so in the log', async (_what, handleRequest) => {
  await startGateway(webPlatform(handleRequest))
  expect(await ask('/web')).toBe(500)
  expect(log.filter((line) => line.includes('could not answer a request'))).toHaveLength(1)
})
