import type { ChatAddress, InboundMessage } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** An answer that brings messages. Each is read by itself, so that one that nobody can read does not stop the others. */
export const page = z.object({ messages: z.array(z.looseObject({ number: z.int() })) })

const message = z.object({ number: z.int(), chat: z.string(), sender: z.string(), name: z.string().optional(), text: z.string(), at: z.number() })

/** Who begins like this speaks to the bot; it is no part of what is said. */
const mention = /^@bot\b\s*/

/** The event that a message is; `undefined` for what nobody can read. */
export function toEvent(sent: unknown): InboundMessage | undefined {
  const read = message.safeParse(sent)
  if (!read.success) return undefined
  const { number, chat, sender, name, text, at } = read.data
  const messageId = String(number)
  const author = { id: sender, name, isBot: false }
  const mentions = chat.startsWith('dm-') || mention.test(text) ? 'us' : 'none'
  return { kind: 'message', id: `message:${messageId}`, at, chat: toAddress(chat), messageId, author, text: text.replace(mention, ''), mentions }
}

/** The same for all messages of a chat: it is part of the key of the session. */
function toAddress(chatId: string): ChatAddress {
  return { platform: 'postbox', kind: chatId.startsWith('dm-') ? 'dm' : 'group', chatId }
}
