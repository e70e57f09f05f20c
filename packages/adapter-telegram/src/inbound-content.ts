import { asObject, asString, type LooseObject } from './json-reading.js'

type Describe = (content: LooseObject) => string

const named =
  (label: string, field: string): Describe =>
  (content) => {
    const name = asString(content[field])
    return name ? `${label}: ${name}` : label
  }
const place = (location: LooseObject | undefined): string => `${Number(location?.['latitude'])}, ${Number(location?.['longitude'])}`

/**
 * What a message can show besides text, most telling first: a venue also carries a location, an animation also a document.
 * Each becomes the inside of one bracketed line.
 */
const contents: readonly (readonly [field: string, describe: Describe])[] = [
  ['photo', () => 'photo'],
  ['voice', () => 'voice message'],
  ['audio', named('audio', 'title')],
  ['video', () => 'video'],
  ['video_note', () => 'video message'],
  ['animation', () => 'animation'],
  ['document', named('file', 'file_name')],
  ['sticker', (sticker) => ['sticker', asString(sticker['emoji'])].filter(Boolean).join(' ')],
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

/** What a message shows besides its text, as one bracketed line; `undefined` when there is nothing. */
export function describeContent(message: LooseObject): string | undefined {
  for (const [field, describe] of contents) {
    const content = message[field]
    if (typeof content !== 'object' || content === null) continue
    return `[${describe(content as LooseObject).replace(/\s+/g, ' ')}]`
  }
  return undefined
}
