import { encodeChoice, type Adapter, type InboundMessage } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createAdapter, optionsFor, ScriptedHost, unhurried } from './adapter-rig.js'

let emulator: TelegramEmulator
let host: ScriptedHost
let adapter: Adapter<'telegram'>

beforeEach(async () => {
  emulator = await startTelegramEmulator({ token: '7000001:planted-token' })
  host = new ScriptedHost()
  adapter = await createAdapter(optionsFor(emulator))
  await adapter.connect(host.context({ isReconnect: true }))
})

afterEach(async () => {
  await adapter.disconnect(AbortSignal.abort())
  await emulator.stop()
})

const confirmed = (updateId: number) => emulator.waitFor(() => emulator.updates.isConfirmed(updateId))
const photoOf = (bytes: Uint8Array, claimedSize?: number) => [{ ...emulator.addFile(bytes, claimedSize), width: 2, height: 2 }]

async function attachmentOf(content: object) {
  await confirmed(emulator.share(emulator.addPrivateChat(), content).update_id)
  const [attachment] = (host.events.at(-1) as InboundMessage).attachments ?? []
  if (!attachment) throw new Error('no attachment came')
  return attachment
}

async function bytesOf(from: Adapter<'telegram'>, attachment: Parameters<NonNullable<Adapter['openAttachment']>>[0]): Promise<Buffer> {
  const opened = await from.openAttachment?.(attachment, unhurried())
  const chunks: Uint8Array[] = []
  for await (const chunk of opened?.body ?? []) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function reasonOf(opening: Promise<unknown>): Promise<string> {
  const error: unknown = await opening.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return `${String(error)} ${JSON.stringify(error)}`
}

test('a file is fetched when somebody wants it, also by a new connection', async () => {
  const bytes = Buffer.alloc(300_000, 7)
  const attachment = await attachmentOf({ photo: photoOf(bytes) })
  expect(emulator.ledger.of('getFile')).toHaveLength(0)
  expect(await bytesOf(adapter, attachment)).toEqual(bytes)
  await adapter.disconnect(unhurried())
  adapter = await createAdapter(optionsFor(emulator))
  await adapter.connect(host.context({ isReconnect: true }))
  expect(await bytesOf(adapter, JSON.parse(JSON.stringify(attachment)) as typeof attachment)).toEqual(bytes)
})

test('a file that is larger than it says is not read beyond what bots can fetch', async () => {
  const attachment = await attachmentOf({ document: emulator.addFile(Buffer.alloc(21 * 2 ** 20), 1000) })
  expect(await reasonOf(bytesOf(adapter, attachment))).toContain('too large')
})

test.each([
  ['getFile', 'bad-token'],
  ['getFile', 'drop-before'],
  ['downloadFile', 'drop-before'],
  ['downloadFile', 'error-before'],
  ['downloadFile', 'rate-limit'],
] as const)('a file that cannot be fetched (%s, %s) is a reason that people may read, without the token', async (method, kind) => {
  const attachment = await attachmentOf({ voice: { ...emulator.addFile(Buffer.from('x')), duration: 1 } })
  emulator.faults.add(kind === 'rate-limit' ? { kind, retryAfterSeconds: 3, method } : { kind, method })
  const reason = await reasonOf(bytesOf(adapter, attachment))
  expect(reason).toContain('attachment.failed')
  expect(reason).not.toContain('planted')
})

test('a download ends with its signal and with the connection', async () => {
  const attachment = await attachmentOf({ photo: photoOf(Buffer.from('x')) })
  const fault = emulator.faults.add({ kind: 'hang', method: 'downloadFile', times: 2 })
  const wish = new AbortController()
  const ended = reasonOf(adapter.openAttachment?.(attachment, wish.signal) ?? Promise.resolve())
  await emulator.waitFor(() => fault.hits === 1)
  wish.abort()
  expect(await ended).toContain('attachment.failed')
  const cut = reasonOf(bytesOf(adapter, attachment))
  await emulator.waitFor(() => fault.hits === 2)
  await adapter.disconnect(unhurried())
  expect(await cut).toContain('attachment.failed')
})

test('the items of an album arrive at once, each by itself, with one key', async () => {
  const chat = emulator.addPrivateChat()
  const album = { media_group_id: '1337' }
  emulator.share(chat, { photo: photoOf(Buffer.from('a')), caption: 'holiday', ...album })
  await confirmed(emulator.share(chat, { photo: photoOf(Buffer.from('b')), ...album }).update_id)
  const items = host.events as InboundMessage[]
  expect(items.map((item) => item.text)).toEqual(['holiday', ''])
  expect(items.map((item) => item.join?.key)).toEqual(['album:1337', 'album:1337'])
  expect(new Set(items.map((item) => item.id)).size).toBe(2)
})

test('a press of our button is a choice, and the button stops waiting once it is stored', async () => {
  const chat = emulator.addPrivateChat()
  const messageId = emulator.say(chat, 'x').message?.message_id ?? 0
  const press = emulator.press(chat, messageId, encodeChoice('p1', 'yes'))
  await emulator.waitFor(() => !emulator.isWaiting(press.callback_query.id))
  expect(host.events.at(-1)).toMatchObject({ kind: 'choice', promptId: 'p1', optionId: 'yes', messageId: String(messageId) })
})

test('a press with forged data is no event, and its button stops waiting, too', async () => {
  const chat = emulator.addPrivateChat()
  const messageId = emulator.say(chat, 'x').message?.message_id ?? 0
  await confirmed(emulator.say(chat, 'y').update_id)
  const before = host.events.length
  for (const data of ['choice:p1:yes:extra', 'appr:1:always', '{"promptId":"p1"}']) {
    const press = emulator.press(chat, messageId, data)
    await emulator.waitFor(() => !emulator.isWaiting(press.callback_query.id))
  }
  expect(host.events).toHaveLength(before)
})

test('a press that could not be stored is not answered, and comes again', async () => {
  const chat = emulator.addPrivateChat()
  const messageId = emulator.say(chat, 'x').message?.message_id ?? 0
  await confirmed(emulator.say(chat, 'y').update_id)
  host.answer = () => Promise.reject(new Error('full'))
  const press = emulator.press(chat, messageId, encodeChoice('p1', 'yes'))
  expect(await host.clock.slept()).toBe(1000)
  expect(emulator.isWaiting(press.callback_query.id)).toBe(true)
  host.answer = () => Promise.resolve('stored')
  await host.clock.advance(1000)
  await emulator.waitFor(() => !emulator.isWaiting(press.callback_query.id))
})

test('reactions, posts of channels and topics of forums come', async () => {
  await emulator.waitFor(() => emulator.updates.isPolled)
  const chat = emulator.addPrivateChat()
  const messageId = emulator.say(chat, 'x').message?.message_id ?? 0
  emulator.react(chat, messageId, ['👍'])
  emulator.react(chat, messageId, ['🔥'])
  emulator.say(emulator.addChannel('News'), 'post')
  const forum = emulator.addSupergroup({ isForum: true })
  emulator.say(forum, 'general')
  await confirmed(emulator.say(forum, 'topic', { threadId: emulator.addTopic(forum) }).update_id)
  const reactions = host.events.flatMap((event) => (event.kind === 'reaction' ? [`${event.isRemoved ? '-' : '+'}${event.emoji}`] : []))
  expect(reactions).toEqual(['+👍', '-👍', '+🔥'])
  const messages = host.events.filter((event) => event.kind === 'message')
  expect(messages.map(({ chat: place, text }) => `${place.kind} ${text}`)).toEqual(['dm x', 'channel post', 'forum general', 'forum topic'])
  expect(messages[2]?.chat.threadId).toBe('1')
})

test('an answer in the first topic of a forum reaches it', async () => {
  const forum = emulator.addSupergroup({ isForum: true })
  await confirmed(emulator.say(forum, 'general').update_id)
  const place = host.events[0]?.chat
  if (!place) throw new Error('no event came')
  const message = { text: 'here', format: 'plain' } as const
  expect(await adapter.send(place, message, { key: 'k', signal: unhurried() })).toMatchObject({ status: 'sent' })
  expect(emulator.answers(forum)).toEqual(['here'])
})

test('a group that moved is told of once, and a send to the old one says where it went', async () => {
  const group = emulator.addGroup()
  await confirmed(emulator.say(group, 'x').update_id)
  const place = host.events[0]?.chat
  const supergroup = emulator.migrate(group)
  await confirmed(emulator.say(supergroup, 'y').update_id)
  const moves = host.events.filter((event) => event.kind === 'notice' && event.name === 'chat-moved')
  expect(new Set(moves.map((move) => move.id)).size).toBe(1)
  if (!place) throw new Error('no event came')
  const outcome = await adapter.send(place, { text: 'late', format: 'plain' }, { key: 'k', signal: unhurried() })
  expect(outcome).toMatchObject({ status: 'rejected', reason: 'chat-gone', movedTo: { chatId: String(supergroup.id) } })
})
