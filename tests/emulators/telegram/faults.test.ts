import { Api, GrammyError, HttpError } from 'grammy'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startTelegramEmulator } from './index.js'
import type { Fault, TelegramEmulator } from './index.js'

let telegram: TelegramEmulator
let api: Api
let chatId: number

beforeEach(async () => {
  telegram = await startTelegramEmulator()
  api = new Api(telegram.token, { apiRoot: telegram.url })
  chatId = telegram.addPrivateChat().id
})

afterEach(() => telegram.stop())

/** What the client sees of a send, the way grammY tells it. */
async function send(text: string, signal?: AbortSignal): Promise<string> {
  try {
    const message = await api.sendMessage(chatId, text, {}, signal as Parameters<Api['sendMessage']>[3])
    return `sent ${message.text}`
  } catch (error) {
    if (error instanceof GrammyError) return `${error.error_code} ${error.description} ${JSON.stringify(error.parameters)}`
    if (error instanceof HttpError) return 'no answer'
    throw error
  }
}

function shown(): readonly string[] {
  return telegram.ledger.accepted('sendMessage').map((call) => call.message?.text ?? '')
}

test.each<[Fault, string]>([
  [{ kind: 'rate-limit', retryAfterSeconds: 3 }, '429 Too Many Requests: retry after 3 {"retry_after":3}'],
  [{ kind: 'bad-token' }, '401 Unauthorized {}'],
  [{ kind: 'too-long' }, '400 Bad Request: message is too long {}'],
  [{ kind: 'bad-format' }, "400 Bad Request: can't parse entities: entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol {}"],
  [{ kind: 'chat-gone' }, '400 Bad Request: chat not found {}'],
  [{ kind: 'thread-gone' }, '400 Bad Request: message thread not found {}'],
  [{ kind: 'message-gone' }, '400 Bad Request: message to be replied not found {}'],
  [{ kind: 'forbidden' }, '403 Forbidden: bot was blocked by the user {}'],
  [{ kind: 'migrate', toChatId: -100 }, '400 Bad Request: group chat was upgraded to a supergroup chat {"migrate_to_chat_id":-100}'],
  [{ kind: 'error-before' }, '502 Bad Gateway {}'],
  [{ kind: 'error-before', status: 500 }, '500 Internal Server Error {}'],
  [{ kind: 'drop-before' }, 'no answer'],
])('%o happens instead of the send, once', async (fault, seen) => {
  const planted = telegram.faults.add({ ...fault, method: 'sendMessage' })
  expect(await send('first')).toBe(seen)
  expect(await send('second')).toBe('sent second')
  expect(shown()).toEqual(['second'])
  expect(planted.hits).toBe(1)
})

test.each<[Fault, string]>([
  [{ kind: 'error-after' }, '502 Bad Gateway {}'],
  [{ kind: 'drop-after' }, 'no answer'],
  [{ kind: 'garbage' }, 'no answer'],
  [{ kind: 'garbage', body: '{}' }, 'undefined undefined {}'],
])('%o happens after the send: people see the message', async (fault, seen) => {
  telegram.faults.add({ ...fault, method: 'sendMessage' })
  expect(await send('first')).toBe(seen)
  expect(shown()).toEqual(['first'])
})

test('a slow answer comes when it is released, and the message is shown before', async () => {
  const slow = telegram.faults.add({ kind: 'slow', method: 'sendMessage' })
  const sending = send('first')
  await telegram.waitFor(() => shown().length === 1)
  slow.release()
  expect(await sending).toBe('sent first')
})

test('a call that hangs shows nothing and ends when the client leaves', async () => {
  telegram.faults.add({ kind: 'hang', method: 'sendMessage' })
  const leaving = new AbortController()
  const sending = send('first', leaving.signal)
  await telegram.waitFor(() => telegram.ledger.of('sendMessage').length === 1)
  leaving.abort()
  expect(await sending).toBe('no answer')
  expect(shown()).toEqual([])
})

test('a conflict ends polling', async () => {
  telegram.faults.add({ kind: 'conflict', method: 'getUpdates' })
  await expect(api.getUpdates()).rejects.toMatchObject({ error_code: 409 })
})

test('a fault meets only its method and chat, as often as it says, until removed', async () => {
  const other = telegram.addPrivateChat()
  const fault = telegram.faults.add({ kind: 'error-before', method: 'sendMessage', chatId, times: Infinity })
  await api.getMe()
  await api.sendMessage(other.id, 'elsewhere')
  expect([await send('1'), await send('2')]).toEqual(['502 Bad Gateway {}', '502 Bad Gateway {}'])
  fault.remove()
  expect(await send('3')).toBe('sent 3')
  expect(fault.hits).toBe(2)
})

test('cut resets what is live, and the next connection is taken', async () => {
  const poll = api.getUpdates({ timeout: 30 }).catch((error: unknown) => error)
  await telegram.waitFor(() => telegram.updates.isPolled)
  telegram.cut()
  expect(await poll).toBeInstanceOf(HttpError)
  expect(await send('after')).toBe('sent after')
})

test('offline refuses connections until it is online on the same port again', async () => {
  await telegram.goOffline()
  expect(await send('away')).toBe('no answer')
  await telegram.goOnline()
  expect(await send('back')).toBe('sent back')
})

test('stopping ends what waits', async () => {
  const waiting = telegram.waitFor(() => false).catch((error: unknown) => String(error))
  await telegram.stop()
  expect(await waiting).toContain('stopped')
})
