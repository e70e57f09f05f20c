import { Api, Bot, GrammyError } from 'grammy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTelegramEmulator } from './index.js'
import type { TelegramEmulator } from './index.js'

let telegram: TelegramEmulator
let api: Api

beforeEach(async () => {
  telegram = await startTelegramEmulator()
  api = new Api(telegram.token, { apiRoot: telegram.url })
})

afterEach(() => telegram.stop())

/** The refusal of a call that must not succeed. */
async function refusalOf(call: Promise<unknown>): Promise<{ code: number; description: string }> {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  if (!(error instanceof GrammyError)) throw new Error('the call was not refused', { cause: error })
  return { code: error.error_code, description: error.description }
}

test('a grammY bot hears a command in a private chat and its answer is shown there', async () => {
  const bot = new Bot(telegram.token, { client: { apiRoot: telegram.url } })
  bot.command('start', (context) => context.reply('welcome', { reply_parameters: { message_id: context.msgId } }))
  const running = bot.start()
  const chat = telegram.addPrivateChat(telegram.addUser({ first_name: 'Ada' }))
  const update = telegram.say(chat, '/start now')
  await telegram.waitFor(() => telegram.answers(chat).length === 1)
  await bot.stop()
  await running
  expect(telegram.shown(chat)).toMatchObject([
    { text: '/start now', isBot: false },
    { text: 'welcome', isBot: true, replyTo: update.message?.message_id },
  ])
  expect(telegram.updates.isConfirmed(update.update_id)).toBe(true)
})

test('an update comes again until an offset beyond it confirms it', async () => {
  const update = telegram.say(telegram.addPrivateChat(), 'hello')
  expect(await api.getUpdates()).toEqual([update])
  expect(await api.getUpdates({ offset: update.update_id })).toEqual([update])
  expect(telegram.updates.isConfirmed(update.update_id)).toBe(false)
  expect(await api.getUpdates({ offset: update.update_id + 1 })).toEqual([])
  expect(telegram.updates.isConfirmed(update.update_id)).toBe(true)
})

test('limit bounds a batch, and a negative offset keeps the last ones only', async () => {
  const chat = telegram.addPrivateChat()
  for (const text of ['1', '2', '3', '4']) telegram.say(chat, text)
  const texts = async (offset: number, limit: number) => (await api.getUpdates({ offset, limit })).map((update) => update.message?.text)
  expect(await texts(0, 2)).toEqual(['1', '2'])
  expect(await texts(-2, 100)).toEqual(['3', '4'])
  expect(telegram.updates.pending).toHaveLength(2)
})

test('kinds that the bot did not ask for are not queued', async () => {
  const chat = telegram.addPrivateChat()
  await api.getUpdates({ allowed_updates: ['edited_message'] })
  const { message } = telegram.say(chat, 'first')
  telegram.edit(chat, message?.message_id ?? 0, 'second')
  expect((await api.getUpdates()).map((update) => update.edited_message?.text)).toEqual(['second'])
})

test('a second poll ends the first with a conflict and waits in its place', async () => {
  const first = api.getUpdates({ timeout: 30 })
  await telegram.waitFor(() => telegram.updates.isPolled)
  const second = api.getUpdates({ timeout: 30 })
  expect(await refusalOf(first)).toEqual({
    code: 409,
    description: 'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
  })
  telegram.say(telegram.addPrivateChat(), 'hello')
  expect(await second).toHaveLength(1)
})

test('a poll whose client left is over', async () => {
  const leaving = new AbortController()
  const poll = api.getUpdates({ timeout: 30 }, leaving.signal as Parameters<Api['getUpdates']>[1]).catch(() => 'left')
  await telegram.waitFor(() => telegram.updates.isPolled)
  leaving.abort()
  expect(await poll).toBe('left')
  await telegram.waitFor(() => !telegram.updates.isPolled)
})

test('deleteWebhook drops what waits only when it is asked to', async () => {
  telegram.say(telegram.addPrivateChat(), 'hello')
  await api.deleteWebhook()
  expect((await api.getWebhookInfo()).pending_update_count).toBe(1)
  await api.deleteWebhook({ drop_pending_updates: true })
  expect((await api.getWebhookInfo()).pending_update_count).toBe(0)
})

test('a webhook excludes polling', async () => {
  await api.setWebhook('https://example.invalid/hook')
  expect((await refusalOf(api.getUpdates())).code).toBe(409)
  await api.deleteWebhook()
  expect(await api.getUpdates()).toEqual([])
})

test('a wrong token and an unknown method get the refusals of the real server', async () => {
  const stranger = new Api('7000001:wrong', { apiRoot: telegram.url })
  expect(await refusalOf(stranger.getMe())).toEqual({ code: 401, description: 'Unauthorized' })
  expect(await refusalOf(api.getMyName())).toEqual({ code: 404, description: 'Not Found: method not found' })
})

test('text is trimmed and its entities move with it', async () => {
  const chat = telegram.addPrivateChat()
  await api.sendMessage(chat.id, '\n bold \n', { entities: [{ type: 'bold', offset: 2, length: 6 }], link_preview_options: { is_disabled: true } })
  expect(telegram.shown(chat)).toMatchObject([
    { text: 'bold', entities: [{ type: 'bold', offset: 0, length: 4 }], linkPreview: { is_disabled: true } },
  ])
})

test.each([
  ['', {}, 'message text is empty'],
  [' \n', {}, 'message text is empty'],
  ['x'.repeat(4097), {}, 'message is too long'],
  ['*x*', { parse_mode: 'MarkdownV2' as const }, 'unsupported parse_mode'],
  [
    '👍',
    { entities: [{ type: 'bold' as const, offset: 1, length: 2 }] },
    "can't parse MessageEntity: entity beginning at UTF-16 offset 1 ends outside of the text",
  ],
  ['\ud83d', {}, 'strings must be encoded in UTF-8'],
  ['x', { message_thread_id: 99 }, 'message thread not found'],
  ['x', { reply_parameters: { message_id: 99 } }, 'message to be replied not found'],
])('a send of %j with %j is refused', async (text, more, description) => {
  const chat = telegram.addPrivateChat()
  expect(await refusalOf(api.sendMessage(chat.id, text, more))).toEqual({ code: 400, description: `Bad Request: ${description}` })
  expect(telegram.shown(chat)).toEqual([])
})

test('a text of exactly 4096 code units is shown', async () => {
  const chat = telegram.addPrivateChat()
  await api.sendMessage(chat.id, '👍'.repeat(2048))
  expect(telegram.answers(chat)).toEqual(['👍'.repeat(2048)])
})

test('a chat that never was is not found', async () => {
  expect((await refusalOf(api.sendMessage(5, 'x'))).description).toBe('Bad Request: chat not found')
})

test('a topic of a forum takes messages, and each supergroup numbers its own', async () => {
  const forum = telegram.addSupergroup({ isForum: true })
  const other = telegram.addSupergroup()
  const threadId = telegram.addTopic(forum)
  const sent = await api.sendMessage(forum.id, 'in the topic', { message_thread_id: threadId })
  expect(sent).toMatchObject({ message_thread_id: threadId, is_topic_message: true, message_id: threadId + 1 })
  expect(await api.sendMessage(other.id, 'elsewhere')).toMatchObject({ message_id: threadId })
})

test('an edit changes the text in its place, and the same text again is refused', async () => {
  const chat = telegram.addPrivateChat()
  const { message_id: id } = await api.sendMessage(chat.id, 'first')
  await api.editMessageText(chat.id, id, 'second')
  expect(telegram.shown(chat)).toMatchObject([{ id, text: 'second', isEdited: true }])
  expect((await refusalOf(api.editMessageText(chat.id, id, 'second'))).description).toContain('message is not modified')
})

test('a deleted message is gone', async () => {
  const chat = telegram.addPrivateChat()
  const { message_id: id } = await api.sendMessage(chat.id, 'first')
  await api.deleteMessage(chat.id, id)
  expect(telegram.shown(chat)).toEqual([])
  expect((await refusalOf(api.deleteMessage(chat.id, id))).description).toBe('Bad Request: message to delete not found')
})

test.each([
  ['a form', 'application/x-www-form-urlencoded', (chatId: number) => new URLSearchParams({ chat_id: `${chatId}`, text: 'hello' })],
  ['parts', undefined, (chatId: number) => formOf({ chat_id: `${chatId}`, text: 'hello', entities: '[{"type":"bold","offset":0,"length":5}]' })],
])('a call may come as %s', async (_name, type, body) => {
  const chat = telegram.addPrivateChat()
  const response = await fetch(`${telegram.url}/bot${telegram.token}/sendMessage`, {
    method: 'POST',
    body: body(chat.id),
    ...(type && { headers: { 'content-type': type } }),
  })
  expect(await response.json()).toMatchObject({ ok: true, result: { text: 'hello' } })
})

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

test('the ledger keeps the calls in order, and no more than its limit', async () => {
  const small = await startTelegramEmulator({ ledgerLimit: 2 })
  const bot = new Api(small.token, { apiRoot: small.url })
  const chat = small.addPrivateChat()
  for (const text of ['1', '2', '3']) await bot.sendMessage(chat.id, text)
  expect(small.ledger.accepted('sendMessage').map((call) => call.payload.text)).toEqual(['2', '3'])
  await small.stop()
})

test('an update of any shape goes to the bot as it is', async () => {
  telegram.post({ message: { text: 5 } })
  expect(await api.getUpdates()).toEqual([{ update_id: expect.any(Number), message: { text: 5 } }])
})
