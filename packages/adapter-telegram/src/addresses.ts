import type { ChatAddress } from '@hermes/plugin-sdk'
import { asInteger, asObject, type LooseObject } from './json-reading.js'

/** Telegram shows a forum's first topic under this id and refuses it in a send. */
const generalTopicId = 1

/** Where a send goes, as the Bot API wants it. */
export interface NativeTarget {
  readonly chat_id: number
  readonly message_thread_id?: number
}

/** The address of a chat. People have positive ids, groups and channels negative ones; a group's topic makes it a forum. */
export function toChatAddress(chatId: number, more: { readonly topicId?: number | undefined; readonly isChannel?: boolean } = {}): ChatAddress {
  const { topicId, isChannel = false } = more
  const kind = chatId > 0 ? 'dm' : isChannel ? 'channel' : topicId === undefined ? 'group' : 'forum'
  const chat = { platform: 'telegram', kind, chatId: String(chatId) } as const
  return topicId === undefined ? chat : { ...chat, threadId: String(topicId) }
}

/** The address of a `Chat` of the Bot API; `undefined` for what is none. */
export function readChatAddress(value: unknown, message: LooseObject = {}): ChatAddress | undefined {
  const chat = asObject(value)
  const chatId = asInteger(chat?.['id'])
  if (!chat || !chatId) return undefined
  return toChatAddress(chatId, { topicId: readTopicId(chat, message), isChannel: chat['type'] === 'channel' })
}

/** `message_thread_id` alone may also be a thread of answers, which is no place to speak in. What stands in no topic of a forum is in its first. */
function readTopicId(chat: LooseObject, message: LooseObject): number | undefined {
  if (message['is_topic_message'] === true) return asInteger(message['message_thread_id'])
  return chat['is_forum'] === true && chat['type'] === 'supergroup' && message['message_id'] !== undefined ? generalTopicId : undefined
}

/** The target of an address, or `undefined` for one that cannot be Telegram's. */
export function toNativeTarget(chat: ChatAddress): NativeTarget | undefined {
  const chatId = toNativeId(chat.chatId)
  if (chatId === undefined) return undefined
  if (chat.threadId === undefined) return { chat_id: chatId }
  const topicId = toNativeId(chat.threadId)
  if (topicId === undefined) return undefined
  return topicId === generalTopicId ? { chat_id: chatId } : { chat_id: chatId, message_thread_id: topicId }
}

/** An id that we made a string of, as a number again; `undefined` for any other string. */
export function toNativeId(id: string): number | undefined {
  const value = Number(id)
  return /^-?\d+$/.test(id) && Number.isSafeInteger(value) ? value : undefined
}
