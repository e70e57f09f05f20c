import { decodeChoice } from '@hermes/plugin-sdk'
import { readChatAddress } from './addresses.js'
import { readUser } from './inbound-author.js'
import type { Reading, ReadUpdate } from './inbound-reading.js'
import { asInteger, asObject, asString } from './json-reading.js'

/** Reads the press of a button. Telegram does not say when: it counts as pressed now. */
export function readChoice(value: unknown, { updateId, us, now }: Reading): ReadUpdate {
  const query = asObject(value) ?? {}
  const author = readUser(query['from'])
  if (!author) return { skipped: 'malformed' }
  if (author.id === String(us.id)) return { skipped: 'own' }
  const choice = decodeChoice(asString(query['data']) ?? '')
  const message = asObject(query['message'])
  const chat = readChatAddress(message?.['chat'], message)
  const messageId = asInteger(message?.['message_id'])
  if (!choice || !chat || messageId === undefined) return { skipped: 'foreign-button' }
  return { events: [{ kind: 'choice', id: `update:${updateId}`, at: now, chat, author, ...choice, messageId: String(messageId) }] }
}

/** The id by which the press has to be answered, so that the button stops waiting. */
export function readQueryId(update: unknown): string | undefined {
  return asString(asObject(asObject(update)?.['callback_query'])?.['id'])
}
