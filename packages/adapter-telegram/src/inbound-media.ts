import type { Attachment, MediaKind } from '@hermes/plugin-sdk'
import { describeFile, type FileField } from './inbound-content.js'
import { asInteger, asObject, asString, replaceLoneSurrogates, type LooseObject } from './json-reading.js'

/** The Bot API lets bots fetch files up to 20 MB. */
export const downloadLimitBytes = 20 * 1024 * 1024

/** The files of a message, and a line about what cannot be fetched or says more than the file. */
export interface ReadMedia {
  readonly attachments: readonly Attachment[]
  readonly line?: string | undefined
}

interface FileShape {
  readonly kind: MediaKind
  /** Where Telegram does not say it. */
  readonly mime?: string
}

/** In the order in which a message is looked through: an animation is also a document. */
const shapes: readonly (readonly [field: FileField, shape: FileShape])[] = [
  ['photo', { kind: 'image', mime: 'image/jpeg' }],
  ['voice', { kind: 'voice', mime: 'audio/ogg' }],
  ['audio', { kind: 'audio', mime: 'audio/mpeg' }],
  ['video', { kind: 'video', mime: 'video/mp4' }],
  ['video_note', { kind: 'video', mime: 'video/mp4' }],
  ['animation', { kind: 'video', mime: 'video/mp4' }],
  ['document', { kind: 'document' }],
]

/** Finds the file of a message. One that is too large, or that nobody could fetch, is a line instead. */
export function readMedia(message: LooseObject): ReadMedia {
  if (message['sticker'] !== undefined) return readSticker(message)
  for (const [field, shape] of shapes) {
    const value = message[field]
    if (typeof value !== 'object' || value === null) continue
    const file = Array.isArray(value) ? largestOf(value) : (value as LooseObject)
    return toMedia(message, file, shape)
  }
  return { attachments: [] }
}

function toMedia(message: LooseObject, file: LooseObject | undefined, { kind, mime }: FileShape): ReadMedia {
  const fileId = asString(file?.['file_id'])
  if (!file || !fileId) return { attachments: [], line: describeFile(message) }
  const size = readSize(file)
  if (size !== undefined && size > downloadLimitBytes) return { attachments: [], line: describeFile(message, tooLarge(size)) }
  const name = asString(file['file_name'])
  return {
    attachments: [
      {
        kind,
        ref: { fileId },
        mime: asString(file['mime_type']) ?? mime,
        ...(name !== undefined && { name: replaceLoneSurrogates(name.slice(0, 255)) }),
        ...(size !== undefined && { size }),
      },
    ],
  }
}

function tooLarge(size: number): string {
  return `, ${Math.ceil(size / 1024 / 1024)} MB: too large, bots can fetch ${downloadLimitBytes / 1024 / 1024} MB`
}

/** The line says which emoji a sticker stands for. Animated ones are drawings that nothing but Telegram shows: they are no file. */
function readSticker(message: LooseObject): ReadMedia {
  const sticker = asObject(message['sticker'])
  const line = describeFile(message)
  if (!sticker || sticker['is_animated'] === true || line === undefined) return { attachments: [], line }
  const shape: FileShape = sticker['is_video'] === true ? { kind: 'video', mime: 'video/webm' } : { kind: 'image', mime: 'image/webp' }
  return { attachments: toMedia(message, sticker, shape).attachments, line }
}

/** A photo comes in several sizes: the largest that can be fetched. */
function largestOf(sizes: readonly unknown[]): LooseObject | undefined {
  const known = sizes.map(asObject).filter((size) => size !== undefined)
  const fitting = known.filter((size) => (readSize(size) ?? 0) <= downloadLimitBytes)
  return (fitting.length > 0 ? fitting : known).toSorted((left, right) => areaOf(right) - areaOf(left))[0]
}

function areaOf(size: LooseObject): number {
  return (asInteger(size['width']) ?? 0) * (asInteger(size['height']) ?? 0)
}

function readSize(file: LooseObject): number | undefined {
  const size = asInteger(file['file_size'])
  return size !== undefined && size >= 0 ? size : undefined
}
