import { asObject, asString, type LooseObject } from './json-reading.js'

type Describe = (content: LooseObject) => string

const named =
  (label: string, field: string): Describe =>
  (content) => {
    const name = asString(content[field])
    return name ? `${label}: ${name}` : label
  }
const place = (location: LooseObject | undefined): string => `${Number(location?.['latitude'])}, ${Number(location?.['longitude'])}`

/** Files, most telling first: an animation is also a document. Each becomes the inside of one bracketed line. */
const files = [
  ['photo', () => 'photo'],
  ['voice', () => 'voice message'],
  ['audio', named('audio', 'title')],
  ['video', () => 'video'],
  ['video_note', () => 'video message'],
  ['animation', () => 'animation'],
  ['document', named('file', 'file_name')],
  ['sticker', (sticker) => ['sticker', asString(sticker['emoji'])].filter(Boolean).join(' ')],
] as const satisfies readonly (readonly [field: string, describe: Describe])[]

/** The members of a message that hold a file. */
export type FileField = (typeof files)[number][0]

/** What a message can show besides text and files, most telling first: a venue also carries a location. */
const contents: readonly (readonly [field: string, describe: Describe])[] = [
  ['venue', (venue) => `${named('venue', 'title')(venue)} (${place(asObject(venue['location']))})`],
  ['location', (location) => `location ${place(location)}`],
  ['contact', (contact) => `${named('contact', 'first_name')(contact)} ${asString(contact['phone_number']) ?? ''}`.trim()],
  ['poll', named('poll', 'question')],
  ['dice', (dice) => `dice ${asString(dice['emoji']) ?? ''} ${Number(dice['value'])}`],
  ['game', named('game', 'title')],
  ['story', () => 'story'],
  ['checklist', named('checklist', 'title')],
  ['paid_media', () => 'paid media'],
]

/** What a message shows besides its text and files, as one bracketed line; `undefined` when there is nothing. */
export function describeContent(message: LooseObject): string | undefined {
  return describeFirst(message, contents)
}

/** The file of a message as one bracketed line, with a remark; `undefined` when there is none. */
export function describeFile(message: LooseObject, remark = ''): string | undefined {
  return describeFirst(message, files, remark)
}

function describeFirst(message: LooseObject, kinds: readonly (readonly [field: string, describe: Describe])[], remark = ''): string | undefined {
  for (const [field, describe] of kinds) {
    const content = message[field]
    if (typeof content !== 'object' || content === null) continue
    return `[${(describe(content as LooseObject) + remark).replace(/\s+/g, ' ')}]`
  }
  return undefined
}
