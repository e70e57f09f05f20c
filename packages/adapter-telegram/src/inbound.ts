import type { Author, InboundEvent } from '@hermes/plugin-sdk'
import { toChatAddress } from './addresses.js'
import { readText, type BotIdentity } from './inbound-text.js'
import { asInteger, asObject, asString, replaceLoneSurrogates, type LooseObject } from './json-reading.js'

/** What an update became: an event, or the reason why it is none. */
export type ReadUpdate = { readonly event: InboundEvent } | { readonly skipped: SkipReason }

/** `service`: nobody said anything. `own`: our own message came back. */
export type SkipReason = 'unknown-kind' | 'malformed' | 'no-sender' | 'service' | 'own'

/** Makes an event of an update. Never throws, whatever the update is. */
export function readUpdate(update: unknown, us: BotIdentity): ReadUpdate {
  const fields = asObject(update)
  const updateId = asInteger(fields?.['update_id'])
  if (!fields || updateId === undefined) return { skipped: 'malformed' }
  if (fields['message'] !== undefined) return readMessage(fields['message'], { updateId, kind: 'message', us })
  if (fields['edited_message'] !== undefined) return readMessage(fields['edited_message'], { updateId, kind: 'edit', us })
  return { skipped: 'unknown-kind' }
}

interface Reading {
  readonly updateId: number
  readonly kind: 'message' | 'edit'
  readonly us: BotIdentity
}

function readMessage(value: unknown, { updateId, kind, us }: Reading): ReadUpdate {
  const message = asObject(value) ?? {}
  const chatId = asInteger(asObject(message['chat'])?.['id'])
  const messageId = asInteger(message['message_id'])
  const seconds = asInteger(kind === 'edit' ? (message['edit_date'] ?? message['date']) : message['date'])
  if (!chatId || messageId === undefined || seconds === undefined) return { skipped: 'malformed' }
  const author = readAuthor(message)
  if (!author) return { skipped: 'no-sender' }
  if (author.id === String(us.id)) return { skipped: 'own' }
  const read = readText(message, us)
  if (!read) return { skipped: 'service' }
  const common = {
    id: `update:${updateId}`,
    at: seconds * 1000,
    chat: toChatAddress(chatId, readTopicId(message)),
    messageId: String(messageId),
    author,
    text: read.text,
  }
  return { event: kind === 'edit' ? { ...common, kind } : { ...common, kind, mentions: read.mentions } }
}

/** `message_thread_id` alone may also be a thread of answers, which is no place to speak in. */
function readTopicId(message: LooseObject): number | undefined {
  return message['is_topic_message'] === true ? asInteger(message['message_thread_id']) : undefined
}

/** Who speaks in the name of a chat (an anonymous admin, a channel) has that chat's id: `from` is a bot of Telegram's then. */
function readAuthor(message: LooseObject): Author | undefined {
  const chat = asObject(message['sender_chat'])
  const chatId = asInteger(chat?.['id'])
  if (chat && chatId !== undefined) return { id: String(chatId), ...toName([chat['title']]), isBot: false }
  const from = asObject(message['from'])
  const userId = asInteger(from?.['id'])
  if (!from || userId === undefined) return undefined
  return { id: String(userId), ...toName([from['first_name'], from['last_name']]), isBot: from['is_bot'] === true }
}

function toName(parts: readonly unknown[]): { readonly name?: string } {
  const name = parts.map(asString).filter(Boolean).join(' ')
  return name ? { name: replaceLoneSurrogates(name) } : {}
}
