import type { RoutedChat } from '@hermes/plugin-sdk'

/** Names a chat of one adapter instance: equal for equal chats, whatever else their addresses carry. */
export function chatKeyOf(chat: RoutedChat): string {
  return JSON.stringify([chat.adapter, chat.platform, chat.scopeId ?? null, chat.chatId, chat.threadId ?? null])
}
