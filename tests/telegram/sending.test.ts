import type { Adapter, ChatAddress, OutboundMessage } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type Fault, type TelegramEmulator } from 'hermes-tests/emulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdapter, optionsFor, ScriptedHost } from './adapter-rig.js'

const token = '7000001:planted-token'
let emulator: TelegramEmulator
let host: ScriptedHost
let adapter: Adapter<'telegram'>

beforeEach(async () => {
  emulator = await startTelegramEmulator({ token })
  host = new ScriptedHost()
  adapter = await createAdapter(optionsFor(emulator))
  await adapter.connect(host.context())
})

afterEach(async () => {
  await adapter.disconnect(AbortSignal.abort())
  await emulator.stop()
})

function dm(): { chat: ReturnType<TelegramEmulator['addPrivateChat']>; address: ChatAddress } {
  const chat = emulator.addPrivateChat()
  return { chat, address: { platform: 'telegram', kind: 'dm', chatId: String(chat.id) } }
}

function send(address: ChatAddress, message: Partial<OutboundMessage>, signal: AbortSignal = new AbortController().signal) {
  return adapter.send(address, { text: 'hello', format: 'markdown', ...message }, { key: 'k', signal })
}

test('Markdown is shown with entities and without link previews', async () => {
  const { chat, address } = dm()
  const outcome = await send(address, { text: '**bold** https://x.org' })
  const [shown] = emulator.shown(chat)
  expect(outcome).toEqual({ status: 'sent', ids: [String(shown?.id)] })
  expect(shown).toMatchObject({ text: 'bold https://x.org', linkPreview: { is_disabled: true } })
  expect(shown?.entities).toContainEqual({ type: 'bold', offset: 0, length: 4 })
})

// adapters 6 and 11: the second send is the core's
test('plain text goes as it is, without entities', async () => {
  const { address } = dm()
  await send(address, { text: '**bold**', format: 'plain' })
  const [call] = emulator.ledger.of('sendMessage')
  expect(call?.payload).toMatchObject({ text: '**bold**' })
  expect(call?.payload).not.toHaveProperty('entities')
  expect(call?.payload).not.toHaveProperty('parse_mode')
})

test('an answer goes to its message and its topic', async () => {
  const forum = emulator.addSupergroup({ isForum: true })
  // The first topic is the general one.
  emulator.addTopic(forum)
  const threadId = emulator.addTopic(forum)
  const asked = emulator.say(forum, 'question', { threadId }).message?.message_id
  await send({ platform: 'telegram', kind: 'forum', chatId: String(forum.id), threadId: String(threadId) }, { replyTo: String(asked) })
  expect(emulator.shown(forum).at(-1)).toMatchObject({ text: 'hello', threadId, replyTo: asked })
})

test('the general topic is left out of a send', async () => {
  const forum = emulator.addSupergroup({ isForum: true })
  await send({ platform: 'telegram', kind: 'forum', chatId: String(forum.id), threadId: '1' }, {})
  expect(emulator.ledger.of('sendMessage')[0]?.payload).not.toHaveProperty('message_thread_id')
})

test('an answer to a message that is gone is not sent without it', async () => {
  const { chat, address } = dm()
  expect(await send(address, { replyTo: '987654' })).toMatchObject({ status: 'rejected', reason: 'message-gone' })
  expect(emulator.shown(chat)).toEqual([])
})

test.each([
  ['too-long', { text: 'x'.repeat(4097) }],
  ['too-long', { text: '- a\n'.repeat(4096) }],
  ['too-long', { text: 'x'.repeat(2 ** 20) }],
  ['invalid', { text: '' }],
  ['invalid', { text: '[a]: https://x.org' }],
  ['message-gone', { replyTo: 'abc' }],
])('what Telegram would refuse as %s makes no call', async (reason, message) => {
  expect(await send(dm().address, message)).toMatchObject({ status: 'rejected', reason })
  expect(emulator.ledger.of('sendMessage')).toHaveLength(0)
})

// adapters 8 and 10
const faults: [Fault, object][] = [
  [
    { kind: 'rate-limit', retryAfterSeconds: 90 },
    { status: 'rejected', reason: 'rate-limited', retryAfterMs: 90_000 },
  ],
  [{ kind: 'bad-format' }, { status: 'rejected', reason: 'bad-format' }],
  [{ kind: 'too-long' }, { status: 'rejected', reason: 'too-long' }],
  [{ kind: 'chat-gone' }, { status: 'rejected', reason: 'chat-gone' }],
  [{ kind: 'thread-gone' }, { status: 'rejected', reason: 'thread-gone' }],
  [{ kind: 'message-gone' }, { status: 'rejected', reason: 'message-gone' }],
  [{ kind: 'forbidden' }, { status: 'rejected', reason: 'forbidden' }],
  [{ kind: 'bad-token' }, { status: 'rejected', reason: 'credentials' }],
  [
    { kind: 'migrate', toChatId: -1005 },
    { status: 'rejected', reason: 'chat-gone', movedTo: { platform: 'telegram', kind: 'group', chatId: '-1005' } },
  ],
  [{ kind: 'error-before' }, { status: 'unknown' }],
  [{ kind: 'error-after' }, { status: 'unknown' }],
  [{ kind: 'drop-before' }, { status: 'unknown' }],
  [{ kind: 'drop-after' }, { status: 'unknown' }],
  [{ kind: 'garbage' }, { status: 'unknown' }],
  [{ kind: 'garbage', body: '{"ok":true}' }, { status: 'unknown' }],
  [{ kind: 'garbage', body: 'null' }, { status: 'unknown' }],
]
test.each(faults)('%j ends as its outcome, by one call, without the token', async (fault, expected) => {
  emulator.faults.add({ ...fault, method: 'sendMessage' })
  const outcome = await send(dm().address, {})
  expect(outcome).toMatchObject(expected)
  expect(emulator.ledger.of('sendMessage').length).toBeLessThanOrEqual(1)
  expect(JSON.stringify([outcome, host.log, host.told])).not.toContain('planted')
})

// adapters 10
test('a send that is stopped while it hangs is unknown', async () => {
  const fault = emulator.faults.add({ kind: 'hang', method: 'sendMessage' })
  const stop = new AbortController()
  const outcome = send(dm().address, {}, stop.signal)
  await emulator.waitFor(() => fault.hits === 1)
  stop.abort()
  expect(await outcome).toMatchObject({ status: 'unknown' })
})

test('a disconnect settles a send under way as unknown, and later ones as unavailable', async () => {
  const fault = emulator.faults.add({ kind: 'hang', method: 'sendMessage' })
  const { address } = dm()
  const outcome = send(address, {})
  await emulator.waitFor(() => fault.hits === 1)
  await adapter.disconnect(new AbortController().signal)
  expect(await outcome).toMatchObject({ status: 'unknown' })
  expect(await send(address, {})).toMatchObject({ status: 'rejected', reason: 'unavailable' })
})

test('a send that finds no server never left', async () => {
  const { address } = dm()
  await emulator.goOffline()
  expect(await send(address, {})).toMatchObject({ status: 'rejected', reason: 'unavailable' })
})
