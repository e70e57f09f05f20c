import { readChatAddress } from './addresses.js'
import { readChatAuthor, readUser } from './inbound-author.js'
import type { Reading, ReadUpdate } from './inbound-reading.js'
import { asInteger, asObject, asString } from './json-reading.js'

/** Reads what changed in somebody's reactions to a message. Telegram does not say in which topic of a forum the message stands. */
export function readReaction(value: unknown, { updateId, us }: Reading): ReadUpdate {
  const change = asObject(value) ?? {}
  const chat = readChatAddress(change['chat'])
  const messageId = asInteger(change['message_id'])
  const seconds = asInteger(change['date'])
  if (!chat || messageId === undefined || seconds === undefined) return { skipped: 'malformed' }
  const author = readUser(change['user']) ?? readChatAuthor(change['actor_chat'])
  if (!author) return { skipped: 'no-sender' }
  if (author.id === String(us.id)) return { skipped: 'own' }
  const before = readEmojis(change['old_reaction'])
  const after = readEmojis(change['new_reaction'])
  const changes = [
    ...before.filter((emoji) => !after.includes(emoji)).map((emoji) => ({ emoji, isRemoved: true })),
    ...after.filter((emoji) => !before.includes(emoji)).map((emoji) => ({ emoji, isRemoved: false })),
  ]
  if (changes.length === 0) return { skipped: 'service' }
  const common = { kind: 'reaction', at: seconds * 1000, chat, author, messageId: String(messageId) } as const
  return { events: changes.map((each, index) => ({ ...common, id: `update:${updateId}:${index}`, ...each })) }
}

function readEmojis(reactions: unknown): readonly string[] {
  return Array.isArray(reactions) ? reactions.slice(0, 50).flatMap(readEmoji) : []
}

function readEmoji(value: unknown): readonly string[] {
  const reaction = asObject(value)
  if (reaction?.['type'] === 'paid') return [':paid:']
  const emoji = asString(reaction?.['emoji'])
  if (reaction?.['type'] === 'emoji' && emoji) return [emoji]
  const customId = asString(reaction?.['custom_emoji_id'])
  return customId ? [`:${customId}:`] : []
}
