import { readChoice } from './inbound-choice.js'
import { readEdit, readMessage } from './inbound-message.js'
import { readReaction } from './inbound-reaction.js'
import type { Reading, ReadUpdate } from './inbound-reading.js'
import { asInteger, asObject } from './json-reading.js'

type Read = (content: unknown, reading: Reading) => ReadUpdate

const readers = {
  message: readMessage,
  edited_message: readEdit,
  channel_post: readMessage,
  edited_channel_post: readEdit,
  callback_query: readChoice,
  message_reaction: readReaction,
} as const satisfies Readonly<Record<string, Read>>

/** The kinds of updates that we ask for; others never come. */
export const allowedUpdates = Object.keys(readers) as (keyof typeof readers)[]

/** Makes events of an update. Never throws, whatever the update is. */
export function readUpdate(update: unknown, { us, now }: Pick<Reading, 'us' | 'now'>): ReadUpdate {
  const fields = asObject(update)
  const updateId = asInteger(fields?.['update_id'])
  if (!fields || updateId === undefined) return { skipped: 'malformed' }
  const kind = allowedUpdates.find((name) => fields[name] !== undefined)
  return kind ? readers[kind](fields[kind], { updateId, us, now }) : { skipped: 'unknown-kind' }
}
