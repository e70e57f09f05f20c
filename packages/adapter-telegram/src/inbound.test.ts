import { describe, expect, test } from 'vitest'
import type { InboundMessage } from '@hermes/plugin-sdk'
import { readUpdate } from './inbound.js'

const us = { id: 42, username: 'our_bot' }
const person = { id: 7, is_bot: false, first_name: 'Ada', last_name: 'L' }

function read(message: object, kind = 'message') {
  return readUpdate({ update_id: 1, [kind]: { message_id: 5, date: 100, chat: { id: 7, type: 'private' }, from: person, ...message } }, us)
}
function event(message: object, kind?: string) {
  const result = read(message, kind)
  if ('skipped' in result) throw new Error(result.skipped)
  return result.event as InboundMessage
}
const entity = (type: string, [offset, length]: readonly [number, number], more: object = {}) => ({ type, offset, length, ...more })

describe('readUpdate', () => {
  test('makes a message of a text', () => {
    expect(event({ text: 'hi' })).toEqual({
      kind: 'message',
      id: 'update:1',
      at: 100_000,
      chat: { platform: 'telegram', kind: 'dm', chatId: '7' },
      messageId: '5',
      author: { id: '7', name: 'Ada L', isBot: false },
      text: 'hi',
      mentions: 'none',
    })
  })

  test('makes an edit with the date of the edit', () => {
    expect(event({ text: 'new', edit_date: 200 }, 'edited_message')).toMatchObject({ kind: 'edit', at: 200_000, text: 'new' })
  })

  test('tells groups and topics by their ids', () => {
    const chat = { id: -100, type: 'supergroup' }
    expect(event({ text: 'a', chat }).chat).toEqual({ platform: 'telegram', kind: 'group', chatId: '-100' })
    expect(event({ text: 'a', chat, message_thread_id: 3 }).chat.kind).toBe('group')
    expect(event({ text: 'a', chat, message_thread_id: 3, is_topic_message: true }).chat).toMatchObject({ kind: 'forum', threadId: '3' })
  })

  test('takes our mention out of the text', () => {
    expect(event({ text: '👍 @Our_Bot hello', entities: [entity('mention', [3, 8])] })).toMatchObject({ text: '👍 hello', mentions: 'us' })
  })

  test('takes the name out of a command for us and leaves one for others', () => {
    expect(event({ text: '/new@our_bot x', entities: [entity('bot_command', [0, 12])] })).toMatchObject({ text: '/new x', mentions: 'us' })
    expect(event({ text: '/new@other', entities: [entity('bot_command', [0, 10])] })).toMatchObject({ text: '/new@other', mentions: 'others' })
    expect(event({ text: '/new', entities: [entity('bot_command', [0, 4])] })).toMatchObject({ text: '/new', mentions: 'none' })
  })

  test('knows a mention without a user name', () => {
    expect(event({ text: 'Bot hi', entities: [entity('text_mention', [0, 3], { user: { id: 42 } })] })).toMatchObject({ text: 'hi', mentions: 'us' })
    expect(event({ text: 'Bob hi', entities: [entity('text_mention', [0, 3], { user: { id: 8 } })] })).toMatchObject({ mentions: 'others' })
  })

  test('takes an answer to us as spoken to us, but not a message of a topic that we opened', () => {
    expect(event({ text: 'a', reply_to_message: { from: { id: 42 } } })).toMatchObject({ mentions: 'us' })
    expect(event({ text: 'a', reply_to_message: { from: { id: 42 }, forum_topic_created: {} } })).toMatchObject({ mentions: 'none' })
  })

  test.each([
    [{ photo: [{}], caption: 'look' }, 'look\n[photo]'],
    [{ voice: {} }, '[voice message]'],
    [{ document: { file_name: 'a.pdf' } }, '[file: a.pdf]'],
    [{ sticker: { emoji: '👍' } }, '[sticker 👍]'],
    [{ location: { latitude: 1.2, longitude: 3.4 } }, '[location 1.2, 3.4]'],
    [{ venue: { title: 'Inn', location: { latitude: 1, longitude: 2 } }, location: {} }, '[venue: Inn (1, 2)]'],
    [{ poll: { question: 'tea\nor not?' } }, '[poll: tea or not?]'],
    [{ contact: { first_name: 'Bob', phone_number: '1' } }, '[contact: Bob 1]'],
  ])('shows %j as one bracketed line', (message, text) => {
    expect(event(message).text).toBe(text)
  })

  test('gives who speaks in the name of a chat the id of that chat', () => {
    const from = { id: 1_087_968_824, is_bot: true, first_name: 'Group' }
    expect(event({ text: 'a', from, sender_chat: { id: -100, title: 'Staff' } }).author).toEqual({ id: '-100', name: 'Staff', isBot: false })
  })

  test('skips what nobody said', () => {
    expect(read({ new_chat_title: 'x' })).toEqual({ skipped: 'service' })
    expect(read({ text: 'a', from: null })).toEqual({ skipped: 'no-sender' })
    expect(read({ text: 'a', from: { ...person, id: 42 } })).toEqual({ skipped: 'own' })
    expect(readUpdate({ update_id: 1, poll: {} }, us)).toEqual({ skipped: 'unknown-kind' })
  })

  test.each([null, 7, 'x', [], {}, { update_id: 'a' }, { update_id: 1, message: null }, { update_id: 1, message: { chat: { id: {} }, date: 1 } }])(
    'skips the malformed update %j',
    (update) => {
      expect(readUpdate(update, us)).toEqual({ skipped: 'malformed' })
    },
  )

  test('survives fields of wrong shapes', () => {
    const entities = [null, 3, entity('mention', [-1, 99]), entity('mention', [0, 9e9]), { type: 'mention' }, entity('bot_command', [0.5, 1])]
    expect(event({ text: '@x', entities, photo: 'no', sender_chat: 'no', reply_to_message: 4 })).toMatchObject({ text: '@x', mentions: 'none' })
  })

  test('replaces halves of surrogate pairs and takes 1 MB of text', () => {
    expect(event({ text: 'a\uDC00' }).text).toBe('a\uFFFD')
    expect(event({ text: 'x'.repeat(2 ** 20) }).text).toHaveLength(2 ** 20)
  })
})
