import type { Author } from '@hermes/plugin-sdk'
import { asInteger, asObject, asString, replaceLoneSurrogates, type LooseObject } from './json-reading.js'

/** Who speaks in the name of a chat (an anonymous admin, a channel) has that chat's id: `from` is a bot of Telegram's then. */
export function readAuthor(message: LooseObject): Author | undefined {
  return readChatAuthor(message['sender_chat']) ?? readUser(message['from'])
}

/** A chat that acts in its own name. */
export function readChatAuthor(value: unknown): Author | undefined {
  const chat = asObject(value)
  const chatId = asInteger(chat?.['id'])
  return chat && chatId !== undefined ? { id: String(chatId), ...toName([chat['title']]), isBot: false } : undefined
}

/** A `User` of the Bot API. */
export function readUser(value: unknown): Author | undefined {
  const user = asObject(value)
  const userId = asInteger(user?.['id'])
  if (!user || userId === undefined) return undefined
  const language = asString(user['language_code'])?.slice(0, 64)
  const name = toName([user['first_name'], user['last_name']])
  return { id: String(userId), ...name, ...(language && { language }), isBot: user['is_bot'] === true }
}

function toName(parts: readonly unknown[]): { readonly name?: string } {
  const name = parts.map(asString).filter(Boolean).join(' ')
  return name ? { name: replaceLoneSurrogates(name.slice(0, 512)) } : {}
}
