import type { Attachment } from '@hermes/plugin-sdk'
import { asInteger, asObject, asString, replaceLoneSurrogates, type LooseObject } from './json-reading.js'
import { describeContent, describeFile } from './inbound-content.js'
import { readMedia } from './inbound-media.js'

/** Who we are to Telegram. */
export interface BotIdentity {
  readonly id: number
  readonly username: string
}

/** The text of a message, and whom it speaks to. */
export interface ReadText {
  readonly text: string
  readonly mentions: 'us' | 'others' | 'none'
  readonly attachments: readonly Attachment[]
}

interface Mention {
  readonly isUs: boolean
  /** What to take out of the text, UTF-16 offsets. */
  readonly start: number
  readonly end: number
}

/**
 * Reads text or caption, and behind it, a line each, what else the message shows and what cannot be fetched of its files.
 * `undefined`: there is nothing that a person said, as in service messages.
 */
export function readText(message: LooseObject, us: BotIdentity): ReadText | undefined {
  const typed = typedText(message)
  const { attachments, line } = readMedia(message)
  const content = describeContent(message)
  if (typed === undefined && content === undefined && line === undefined && attachments.length === 0) return undefined
  const mentions = readMentions(typed ?? '', message[typeof message['text'] === 'string' ? 'entities' : 'caption_entities'], us)
  const body = withoutOurs(typed ?? '', mentions)
  const speaksToUs = mentions.some((mention) => mention.isUs) || answersUs(message, us)
  return {
    text: replaceLoneSurrogates([body, line, content].filter(Boolean).join('\n')),
    mentions: speaksToUs ? 'us' : mentions.length > 0 ? 'others' : 'none',
    attachments,
  }
}

/** All of a message as text, for whoever only reads about it. */
export function summarize(message: LooseObject): string {
  return replaceLoneSurrogates([typedText(message), describeFile(message), describeContent(message)].filter(Boolean).join('\n'))
}

function typedText(message: LooseObject): string | undefined {
  return asString(message['text']) ?? asString(message['caption'])
}

function readMentions(text: string, entities: unknown, us: BotIdentity): Mention[] {
  if (!Array.isArray(entities)) return []
  return entities.flatMap((value) => readMention(text, asObject(value) ?? {}, us) ?? [])
}

function readMention(text: string, entity: LooseObject, us: BotIdentity): Mention | undefined {
  const start = asInteger(entity['offset']) ?? -1
  const end = start + (asInteger(entity['length']) ?? 0)
  if (start < 0 || end <= start || end > text.length) return undefined
  if (entity['type'] === 'text_mention') return { isUs: asObject(entity['user'])?.['id'] === us.id, start, end }
  if (entity['type'] !== 'mention' && entity['type'] !== 'bot_command') return undefined
  const at = text.indexOf('@', start)
  if (at < 0 || at >= end) return undefined
  return { isUs: text.slice(at + 1, end).toLowerCase() === us.username.toLowerCase(), start: at, end }
}

/** Takes our own mentions out, and one of the two blanks that a mention in the middle leaves. */
function withoutOurs(text: string, mentions: readonly Mention[]): string {
  const ours = mentions.filter((mention) => mention.isUs).toSorted((left, right) => left.start - right.start)
  if (ours.length === 0) return text
  const kept: string[] = []
  let position = 0
  for (const { start, end } of ours) {
    if (start < position) continue
    kept.push(text.slice(position, start))
    position = text[end] === ' ' && (start === 0 || text[start - 1] === ' ') ? end + 1 : end
  }
  return [...kept, text.slice(position)].join('').trim()
}

function answersUs(message: LooseObject, us: BotIdentity): boolean {
  const answered = asObject(message['reply_to_message'])
  // Every message of a topic formally answers the service message that opened it.
  if (!answered || answered['forum_topic_created'] !== undefined) return false
  return asObject(answered['from'])?.['id'] === us.id
}
