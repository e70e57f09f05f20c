import type { InboundNotice, JsonObject } from '@hermes/plugin-sdk'
import { readChatAddress, toChatAddress } from './addresses.js'
import { readAuthor, readUser } from './inbound-author.js'
import type { Reading, ReadUpdate } from './inbound-reading.js'
import { asInteger, asObject, asString, replaceLoneSurrogates, type LooseObject } from './json-reading.js'

interface Fact {
  readonly name: InboundNotice['name']
  readonly data: JsonObject
}

/** Reads a service message that says something about the chat itself; `undefined`: it is none. */
export function readNotice(message: LooseObject, { updateId, us }: Reading): ReadUpdate | undefined {
  const seconds = asInteger(message['date'])
  const chat = readChatAddress(message['chat'], message)
  if (!chat || seconds === undefined) return undefined
  const at = seconds * 1000
  const move = readMove(message, Number(chat.chatId))
  if (move) return { events: [{ kind: 'notice', at, ...move }] }
  const fact = readFact(message)
  if (!fact) return undefined
  const author = readAuthor(message)
  if (author?.id === String(us.id)) return { skipped: 'own' }
  return { events: [{ kind: 'notice', id: `update:${updateId}`, at, chat, ...(author && { author }), ...fact }] }
}

/**
 * A group became a supergroup. Both are told of it; the two messages are one happening, so they make one id. Nobody is its author: it is
 * a fact that Telegram states, whoever caused it.
 */
function readMove(message: LooseObject, chatId: number): Pick<InboundNotice, 'id' | 'chat' | 'name' | 'data'> | undefined {
  const to = asInteger(message['migrate_to_chat_id'])
  const from = asInteger(message['migrate_from_chat_id'])
  if (!to && !from) return undefined
  const [before, after] = to ? [chatId, to] : [from ?? 0, chatId]
  return { id: `moved:${before}:${after}`, chat: toChatAddress(before), name: 'chat-moved', data: { chat: { ...toChatAddress(after) } } }
}

function readFact(message: LooseObject): Fact | undefined {
  const created = asObject(message['forum_topic_created'])
  if (created) return { name: 'thread-created', data: { name: readName(created) } }
  const edited = asObject(message['forum_topic_edited'])
  // Without a name, only its icon changed.
  if (edited && edited['name'] !== undefined) return { name: 'thread-renamed', data: { name: readName(edited) } }
  const { new_chat_members: joined, left_chat_member: left } = message
  if (Array.isArray(joined)) return { name: 'member-joined', data: { members: joined.slice(0, 50).flatMap(readMember) } }
  if (left !== undefined) return { name: 'member-left', data: { members: readMember(left) } }
  return undefined
}

function readName(topic: LooseObject): string {
  return replaceLoneSurrogates((asString(topic['name']) ?? '').slice(0, 512))
}

function readMember(value: unknown): JsonObject[] {
  const user = readUser(value)
  return user ? [{ id: user.id, name: user.name?.slice(0, 128), isBot: user.isBot }] : []
}
