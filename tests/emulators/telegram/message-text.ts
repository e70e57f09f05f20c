import type { ApiError, MessageEntity } from '@grammyjs/types'
import { badRequest, refusals } from './api-reply.js'
import { integerOf, objectOf } from './parameters.js'
import type { Payload } from './payload-reader.js'

/** Text as people see it. Offsets and lengths of the entities count UTF-16 code units. */
export interface MessageText {
  readonly text: string
  readonly entities: MessageEntity[]
}

const limitCodeUnits = 4096
const entityTypes = new Set([
  'mention',
  'hashtag',
  'cashtag',
  'bot_command',
  'url',
  'email',
  'phone_number',
  'bold',
  'italic',
  'underline',
  'strikethrough',
  'spoiler',
  'blockquote',
  'expandable_blockquote',
  'code',
  'pre',
  'text_link',
  'text_mention',
  'custom_emoji',
  'date_time',
])

/**
 * The text of a `sendMessage` or `editMessageText` as the server stores it: space around it trimmed, entities checked and moved with
 * it. Or the server's refusal. A `parse_mode` is refused: this server has no markup parser, and would show markup as text.
 */
export function readMessageText(payload: Payload): MessageText | ApiError {
  const { text, entities = [], parse_mode: parseMode } = payload
  if (parseMode !== undefined && parseMode !== '') return badRequest('unsupported parse_mode')
  if (typeof text !== 'string') return refusals.emptyText
  if (/\p{Surrogate}/u.test(text)) return badRequest('strings must be encoded in UTF-8')
  if (!Array.isArray(entities)) return badRequest("can't parse entities: expected an Array of MessageEntity")
  for (const entity of entities) {
    const mistake = mistakeOf(entity, text.length)
    if (mistake !== undefined) return badRequest(`can't parse MessageEntity: ${mistake}`)
  }
  const clean = trim(text, entities as MessageEntity[])
  if (clean.text === '') return refusals.emptyText
  return clean.text.length > limitCodeUnits ? refusals.tooLong : clean
}

/** Tells a text from a refusal. */
export function isRefusal(value: object): value is ApiError {
  return 'ok' in value && value.ok === false
}

/** The commands and mentions that the server marks in what a person types. */
export function detectEntities(text: string): MessageEntity[] {
  const found: MessageEntity[] = []
  for (const match of text.matchAll(/(?<![\w/@])(?:\/[a-z0-9_]{1,64}(?:@\w{3,32})?|@\w{3,32})(?![\w/])/gi)) {
    found.push({ type: match[0].startsWith('/') ? 'bot_command' : 'mention', offset: match.index, length: match[0].length })
  }
  return found
}

function mistakeOf(value: unknown, textLength: number): string | undefined {
  const entity = objectOf(value)
  if (!entity) return 'expected an Object'
  const offset = integerOf(entity['offset'])
  const length = integerOf(entity['length'])
  if (typeof entity['type'] !== 'string' || !entityTypes.has(entity['type'])) return 'unsupported type specified'
  if (offset === undefined || length === undefined) return 'offset and length must be Integers'
  if (offset < 0 || length < 0 || offset + length > textLength) return `entity beginning at UTF-16 offset ${offset} ends outside of the text`
  if (entity['type'] === 'text_link' && typeof entity['url'] !== 'string') return 'field "url" must be a String'
  return undefined
}

/** White space goes at the end, and at the start as far as no entity covers it. */
function trim(text: string, entities: readonly MessageEntity[]): MessageText {
  const end = text.trimEnd().length
  const blank = text.length - text.trimStart().length
  const start = entities.reduce((first, entity) => Math.min(first, entity.offset), blank)
  const moved = entities.flatMap((entity) => {
    const length = Math.min(entity.offset + entity.length, end) - entity.offset
    return length > 0 ? [{ ...entity, offset: entity.offset - start, length }] : []
  })
  return { text: text.slice(start, Math.max(start, end)), entities: moved.toSorted((left, right) => left.offset - right.offset) }
}
