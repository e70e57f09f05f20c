import { describe, expect, test } from 'vitest'
import type { InboundMessage } from '@hermes/plugin-sdk'
import { readUpdate } from './inbound.js'

const us = { id: 42, username: 'our_bot' }
const person = { id: 7, is_bot: false, first_name: 'Ada', last_name: 'L' }

function read(message: object, kind = 'message') {
  return readUpdate(
    { update_id: 1, [kind]: { message_id: 5, date: 100, chat: { id: 7, type: 'private' }, from: person, ...message } },
    { us, now: 7 },
  )
}
function event(message: object, kind?: string) {
  const result = read(message, kind)
  if ('skipped' in result) throw new Error(result.skipped)
  return result.events[0] as InboundMessage
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

  test('gives files as attachments that can be fetched later: of a photo the largest size', () => {
    const photo = [1, 3, 2].map((edge) => ({ file_id: `p${edge}`, width: edge, height: edge, file_size: edge }))
    expect(event({ photo, caption: 'look' })).toMatchObject({
      text: 'look',
      attachments: [{ kind: 'image', ref: { fileId: 'p3' }, mime: 'image/jpeg', size: 3 }],
    })
    const document = { file_id: 'd', file_name: 'a.pdf', mime_type: 'application/pdf', file_size: 9 }
    expect(event({ document }).attachments).toEqual([{ kind: 'document', ref: { fileId: 'd' }, name: 'a.pdf', mime: 'application/pdf', size: 9 }])
  })

  test.each([
    [{ voice: { file_id: 'f' } }, 'voice', 'audio/ogg', ''],
    [{ audio: { file_id: 'f', mime_type: 'audio/mp4' } }, 'audio', 'audio/mp4', ''],
    [{ video: { file_id: 'f' } }, 'video', 'video/mp4', ''],
    [{ video_note: { file_id: 'f' } }, 'video', 'video/mp4', ''],
    [{ animation: { file_id: 'f' }, document: { file_id: 'other' } }, 'video', 'video/mp4', ''],
    [{ sticker: { file_id: 'f', emoji: '👍' } }, 'image', 'image/webp', '[sticker 👍]'],
    [{ sticker: { file_id: 'f', emoji: '👍', is_video: true } }, 'video', 'video/webm', '[sticker 👍]'],
  ])('knows the file of %j', (message, kind, mime, text) => {
    const read = event(message)
    expect(read.text).toBe(text)
    expect(read.attachments).toEqual([{ kind, ref: { fileId: 'f' }, mime }])
  })

  test('says of a file that bots cannot fetch how large it is, and of a sticker that nothing else shows its emoji', () => {
    const document = { file_id: 'd', file_name: 'a.zip', file_size: 34 * 2 ** 20 }
    const read = event({ document, caption: 'here' })
    expect(read.text).toBe('here\n[file: a.zip, 34 MB: too large, bots can fetch 20 MB]')
    expect(read.attachments).toBeUndefined()
    expect(event({ sticker: { file_id: 'f', emoji: '👍', is_animated: true } }).attachments).toBeUndefined()
  })

  test('joins the items of an album by its id', () => {
    const photo = [{ file_id: 'p', width: 1, height: 1 }]
    expect(event({ photo, media_group_id: '77' }).join).toEqual({ key: 'album:77', quietMs: 800 })
    expect(event({ text: 'a' }).join).toBeUndefined()
  })

  test('tells what a message answers, or the part of it that was quoted', () => {
    const answered = { message_id: 4, from: { ...person, id: 8 }, caption: 'before', photo: [{ file_id: 'p' }] }
    const author = { id: '8', name: 'Ada L', isBot: false }
    expect(event({ text: 'a', reply_to_message: answered }).replyTo).toEqual({ messageId: '4', text: 'before\n[photo]', author })
    expect(event({ text: 'a', reply_to_message: answered, quote: { text: 'fore' } }).replyTo).toEqual({ messageId: '4', text: 'fore', author })
    expect(event({ text: 'a', external_reply: {}, quote: { text: 'elsewhere' } })).toMatchObject({ context: ['elsewhere'] })
  })

  test('knows the first topic of a forum, and the names of places', () => {
    const chat = { id: -100, type: 'supergroup', is_forum: true, title: 'Club' }
    expect(event({ text: 'a', chat })).toMatchObject({ chat: { kind: 'forum', threadId: '1' }, names: { chat: 'Club' } })
    const opening = { message_id: 3, forum_topic_created: { name: 'Cats' } }
    const inTopic = event({ text: 'a', chat, message_thread_id: 3, is_topic_message: true, reply_to_message: opening })
    expect(inTopic).toMatchObject({ chat: { kind: 'forum', threadId: '3' }, names: { chat: 'Club', thread: 'Cats' } })
    expect(inTopic.replyTo).toBeUndefined()
  })

  test('takes a post of a channel as said by the channel', () => {
    const chat = { id: -100, type: 'channel', title: 'News' }
    const post = { text: 'a', chat, from: undefined, sender_chat: chat }
    expect(event(post, 'channel_post')).toMatchObject({ chat: { kind: 'channel', chatId: '-100' }, author: { id: '-100', name: 'News' } })
    expect(event({ ...post, edit_date: 101 }, 'edited_channel_post')).toMatchObject({ kind: 'edit', chat: { kind: 'channel' } })
  })

  test('makes one event of the two messages about a chat that moved', () => {
    const moved = event({ chat: { id: -5, type: 'group' }, migrate_to_chat_id: -1005 })
    expect(moved).toEqual({
      kind: 'notice',
      id: 'moved:-5:-1005',
      at: 100_000,
      chat: { platform: 'telegram', kind: 'group', chatId: '-5' },
      name: 'chat-moved',
      data: { chat: { platform: 'telegram', kind: 'group', chatId: '-1005' } },
    })
    expect(event({ chat: { id: -1005, type: 'supergroup' }, migrate_from_chat_id: -5 })).toEqual(moved)
  })

  test.each([
    [{ forum_topic_created: { name: 'Cats' } }, 'thread-created', { name: 'Cats' }],
    [{ forum_topic_edited: { name: 'Dogs' } }, 'thread-renamed', { name: 'Dogs' }],
    [{ new_chat_members: [person] }, 'member-joined', { members: [{ id: '7', name: 'Ada L', isBot: false }] }],
    [{ left_chat_member: person }, 'member-left', { members: [{ id: '7', name: 'Ada L', isBot: false }] }],
  ])('makes a notice of %j', (message, name, data) => {
    const chat = { id: -100, type: 'supergroup' }
    expect(event({ chat, ...message })).toMatchObject({ kind: 'notice', name, data, author: { id: '7' } })
  })

  test('makes an event of each reaction that came or went', () => {
    const change = { chat: { id: 7, type: 'private' }, message_id: 5, user: person, date: 100 }
    const old = [
      { type: 'emoji', emoji: '👍' },
      { type: 'emoji', emoji: '🔥' },
    ]
    const now = [
      { type: 'emoji', emoji: '🔥' },
      { type: 'custom_emoji', custom_emoji_id: '99' },
    ]
    const result = readUpdate({ update_id: 1, message_reaction: { ...change, old_reaction: old, new_reaction: now } }, { us, now: 7 })
    expect(result).toMatchObject({
      events: [
        { kind: 'reaction', id: 'update:1:0', messageId: '5', author: { id: '7' }, emoji: '👍', isRemoved: true },
        { kind: 'reaction', id: 'update:1:1', emoji: ':99:', isRemoved: false },
      ],
    })
  })

  test('makes a choice of a pressed button, and nothing of data that is none of ours', () => {
    const press = (data: unknown, more: object = {}) => {
      const message = { message_id: 5, date: 0, chat: { id: -5, type: 'group' }, ...more }
      return readUpdate({ update_id: 1, callback_query: { id: 'q', from: person, message, data } }, { us, now: 7 })
    }
    expect(press('choice:p1:yes')).toEqual({
      events: [
        {
          kind: 'choice',
          id: 'update:1',
          at: 7,
          chat: { platform: 'telegram', kind: 'group', chatId: '-5' },
          author: { id: '7', name: 'Ada L', isBot: false },
          promptId: 'p1',
          optionId: 'yes',
          messageId: '5',
        },
      ],
    })
    for (const data of ['vote:1', 'choice:p1', 'choice::', `choice:p1:${'x'.repeat(99)}`, 5, undefined]) {
      expect(press(data)).toEqual({ skipped: 'foreign-button' })
    }
    expect(press('choice:p1:yes', { chat: undefined })).toEqual({ skipped: 'foreign-button' })
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
    expect(readUpdate({ update_id: 1, poll: {} }, { us, now: 7 })).toEqual({ skipped: 'unknown-kind' })
  })

  test.each([null, 7, 'x', [], {}, { update_id: 'a' }, { update_id: 1, message: null }, { update_id: 1, message: { chat: { id: {} }, date: 1 } }])(
    'skips the malformed update %j',
    (update) => {
      expect(readUpdate(update, { us, now: 7 })).toEqual({ skipped: 'malformed' })
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
