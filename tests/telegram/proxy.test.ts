import { HermesError, type Adapter } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdapter, optionsFor, ScriptedHost, unhurried } from './adapter-rig.js'
import { startHttpProxy, startSocksProxy, type LoopbackProxy } from './loopback-proxies.js'

let emulator: TelegramEmulator
let host: ScriptedHost
let proxy: LoopbackProxy | undefined
let adapter: Adapter<'telegram'> | undefined

beforeEach(async () => {
  emulator = await startTelegramEmulator()
  host = new ScriptedHost()
})

afterEach(async () => {
  await adapter?.disconnect(AbortSignal.abort())
  await proxy?.stop()
  await emulator.stop()
})

test.each([
  ['an HTTP proxy with a password', () => startHttpProxy('ann', 'planted-password')],
  ['a SOCKS5 proxy', startSocksProxy],
])('calls, polls and downloads go through %s, and leave nothing behind', async (_what, start) => {
  proxy = await start()
  const before = process.getActiveResourcesInfo().length
  adapter = await createAdapter({ ...optionsFor(emulator), proxy: proxy.url })
  await adapter.connect(host.context({ isReconnect: true }))
  const chat = emulator.addPrivateChat()
  const file = emulator.addFile(Buffer.from('cat'))
  const update = emulator.share(chat, { document: file })
  await emulator.waitFor(() => emulator.updates.isConfirmed(update.update_id))
  const [event] = host.events
  if (event?.kind !== 'message' || !event.attachments?.[0]) throw new Error('no attachment came')
  const opened = await adapter.openAttachment?.(event.attachments[0], unhurried())
  for await (const chunk of opened?.body ?? []) expect(Buffer.from(chunk).toString()).toBe('cat')
  const sent = await adapter.send(event.chat, { text: 'hi', format: 'plain' }, { key: 'k', signal: unhurried() })
  expect(sent.status).toBe('sent')
  expect(new Set(proxy.tunnels)).toEqual(new Set([new URL(emulator.url).host]))
  await adapter.disconnect(unhurried())
  await proxy.stop()
  proxy = undefined
  await emulator.stop()
  await expect.poll(() => process.getActiveResourcesInfo().length, { interval: 5 }).toBeLessThanOrEqual(before)
})

test('a proxy that refuses us is a retryable failure that holds no password, and nothing goes around it', async () => {
  proxy = await startHttpProxy('ann', 'right')
  adapter = await createAdapter({ ...optionsFor(emulator), proxy: proxy.url.replace('right', 'planted-wrong') })
  const error: unknown = await adapter.connect(host.context()).catch((reason: unknown) => reason)
  const failure = HermesError.is(error, 'adapter.failed') ? error.detail : undefined
  expect(failure).toMatchObject({ code: 'network', isRetryable: true })
  expect(JSON.stringify([failure, String(error)])).not.toContain('planted')
  expect(emulator.ledger.calls).toHaveLength(0)
})

test('a proxy of another kind is refused, without showing its password', async () => {
  const options = { ...optionsFor(emulator), proxy: 'ftp://ann:planted@127.0.0.1' }
  const refusal: unknown = await createAdapter(options).catch((error: unknown) => error)
  expect(String(refusal)).toMatch(/proxy: must be an http, https, socks5 or socks5h URL/)
  expect(JSON.stringify([String(refusal), refusal])).not.toContain('planted')
})
