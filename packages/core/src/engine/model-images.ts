import type { MediaRef, MediaStore, Message } from '@hermes/plugin-sdk'

/** What every model with eyes takes. */
const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
/** The strictest provider takes 5 MB an image. */
const imageBytes = 5_000_000
/** Older ones are told in words. They go ten at a time, so that what was sent stays the same for long. */
const imagesKept = 10

/** The bytes of the images that a model is shown, by reference. They are read once and kept for the turn. */
export class ModelImages {
  readonly #media: MediaStore
  readonly #read = new Map<string, Promise<Uint8Array | undefined>>()

  constructor(media: MediaStore) {
    this.#media = media
  }

  /** Those of people, and of results on demand. What cannot be read, is too large or too old is not among them. Never rejects. */
  async shownOf(messages: readonly Message[], from: { readonly results: boolean }): Promise<ReadonlyMap<string, Uint8Array>> {
    const sources = messages.filter((message) => message.role !== 'tool' || from.results)
    const images = [...new Map(sources.flatMap(imagesOf).map((image) => [image.ref, image])).values()]
    const shown = images.slice(Math.max(0, Math.floor(images.length / imagesKept) - 1) * imagesKept)
    const loaded = await Promise.all(shown.map(async (image) => [image.ref, await this.#bytesOf(image)] as const))
    return new Map(loaded.filter((entry): entry is readonly [string, Uint8Array] => entry[1] !== undefined))
  }

  #bytesOf(image: MediaRef): Promise<Uint8Array | undefined> {
    const known = this.#read.get(image.ref) ?? this.#load(image)
    this.#read.set(image.ref, known)
    return known
  }

  async #load(image: MediaRef): Promise<Uint8Array | undefined> {
    try {
      const bytes = await this.#media.get(image)
      return bytes.length > 0 && bytes.length <= imageBytes ? bytes : undefined
    } catch {
      return undefined
    }
  }
}

function imagesOf(message: Message): readonly MediaRef[] {
  return message.parts.flatMap((part) => (part.type === 'media' && isImage(part.media) ? [part.media] : []))
}

function isImage({ mediaType, bytes = 0 }: MediaRef): boolean {
  return imageTypes.has(mediaType) && bytes <= imageBytes
}
