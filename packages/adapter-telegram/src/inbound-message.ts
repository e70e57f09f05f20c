import type { Author, ChatAddress, InboundMessage } from '@hermes/plugin-sdk'
import { readChatAddress } from './addresses.js'
import { readAuthor } from './inbound-author.js'
import { readNotice } from './inbound-notice.js'
import type { Reading, ReadUpdate } from './inbound-reading.js'
import { readText, summarize, type ReadText } from './inbound-text.js'
import { asInteger, asObject, asString, replaceLoneSurrogates, type LooseObject } from './json-reading.js'

/** The pictures of an album are joined when so long none came, milliseconds. Telegram sends them within a moment. */
const albumQuietMs = 800

/** A message of the Bot API, as far as every event needs it. */
export interface MessageFrame {
  readonly message: LooseObject
  readonly messageId: string
  readonly chat: ChatAddress
  readonly author: Author
  readonly at: number
}

/** Reads a new message or a new post of a channel. */
export function readMessage(value: unknown, reading: Reading): ReadUpdate {
  const message = asObject(value) ?? {}
  const notice = readNotice(message, reading)
  if (notice) return notice
  const frame = readFrame(message, reading, message['date'])
  if ('skipped' in frame) return frame
  const read = readText(message, reading.us)
  if (!read) return { skipped: 'service' }
  return { events: [toEvent(frame, read, reading)] }
}

/** Reads a changed message or post. */
export function readEdit(value: unknown, reading: Reading): ReadUpdate {
  const message = asObject(value) ?? {}
  const frame = readFrame(message, reading, message['edit_date'] ?? message['date'])
  if ('skipped' in frame) return frame
  const read = readText(message, reading.us)
  if (!read) return { skipped: 'service' }
  const { messageId, chat, author, at } = frame
  return { events: [{ kind: 'edit', id: `update:${reading.updateId}`, at, chat, messageId, author, text: read.text }] }
}

function readFrame(message: LooseObject, { us }: Reading, date: unknown): MessageFrame | Extract<ReadUpdate, { skipped: unknown }> {
  const chat = readChatAddress(message['chat'], message)
  const messageId = asInteger(message['message_id'])
  const seconds = asInteger(date)
  if (!chat || messageId === undefined || seconds === undefined) return { skipped: 'malformed' }
  const author = readAuthor(message)
  if (!author) return { skipped: 'no-sender' }
  if (author.id === String(us.id)) return { skipped: 'own' }
  return { message, messageId: String(messageId), chat, author, at: seconds * 1000 }
}

function toEvent({ message, messageId, chat, author, at }: MessageFrame, read: ReadText, { updateId }: Reading): InboundMessage {
  const { text, mentions, attachments } = read
  const names = readNames(message)
  const replyTo = readReply(message)
  const context = replyTo ? [] : readForeignQuote(message)
  const album = asString(message['media_group_id'])
  return {
    kind: 'message',
    id: `update:${updateId}`,
    at,
    chat,
    ...(names && { names }),
    messageId,
    author,
    text,
    mentions,
    ...(attachments.length > 0 && { attachments }),
    ...(replyTo && { replyTo }),
    ...(context.length > 0 && { context }),
    ...(album && { join: { key: `album:${album.slice(0, 256)}`, quietMs: albumQuietMs } }),
  }
}

/** Topics tell their name only in the message that opened them, which all in it formally answer. */
function readNames(message: LooseObject): InboundMessage['names'] {
  const chat = asString(asObject(message['chat'])?.['title'])
  const opening = asObject(asObject(message['reply_to_message'])?.['forum_topic_created'])
  const thread = asString(opening?.['name'])
  if (!chat && !thread) return undefined
  return { ...(chat && { chat: toLine(chat) }), ...(thread && { thread: toLine(thread) }) }
}

function toLine(name: string): string {
  return replaceLoneSurrogates(name.slice(0, 512))
}

/** The message that this one answers; of a quote, only what was quoted. */
function readReply(message: LooseObject): InboundMessage['replyTo'] {
  const answered = asObject(message['reply_to_message'])
  const messageId = asInteger(answered?.['message_id'])
  if (!answered || messageId === undefined || answered['forum_topic_created'] !== undefined) return undefined
  const text = readQuote(message) ?? summarize(answered)
  const author = readAuthor(answered)
  return { messageId: String(messageId), ...(text && { text }), ...(author && { author }) }
}

/** An answer to a message of another chat: what of it was quoted is all that there is. */
function readForeignQuote(message: LooseObject): readonly string[] {
  const quote = readQuote(message)
  return quote ? [quote] : []
}

function readQuote(message: LooseObject): string | undefined {
  const quote = asString(asObject(message['quote'])?.['text'])
  return quote === undefined ? undefined : replaceLoneSurrogates(quote)
}
