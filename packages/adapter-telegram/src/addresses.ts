import type { ChatAddress } from '@hermes/plugin-sdk'

/** Telegram shows a forum's first topic under this id and refuses it in a send. */
const generalTopicId = 1

/** Where a send goes, as the Bot API wants it. */
export interface NativeTarget {
  readonly chat_id: number
  readonly message_thread_id?: number
}

/** The address of a chat. People have positive ids, groups negative ones; a group's topic makes it a forum. */
export function toChatAddress(chatId: number, topicId?: number): ChatAddress {
  const kind = chatId > 0 ? 'dm' : topicId === undefined ? 'group' : 'forum'
  const chat = { platform: 'telegram', kind, chatId: String(chatId) } as const
  return topicId === undefined ? chat : { ...chat, threadId: String(topicId) }
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
