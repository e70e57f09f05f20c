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

  /** What cannot be read, is too large or too old is not among them. Never rejects. */
  async shownOf(messages: readonly Message[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const images = [...new Map(messages.flatMap(imagesOf).map((image) => [image.ref, image])).values()]
    const shown = images.slice(Math.max(0, Math.floor(images.length / imagesKept) - 1) * imagesKept)
    const loaded = await Promise.all(shown.map(async (image) => [image.ref, await this.#bytesOf(image)] as const))
    return new Map(loaded.filter((entry): entry is readonly [string, Uint8Array] => entry[1] !== undefined))
  }

  #bytesOf(image: MediaRef): Promise<Uint8Array | undefined> {
    const known = this.#read.get(image.ref)
    if (known) return known
    const read = this.#media.get(image).then(
      (bytes) => (bytes.length > 0 && bytes.length <= imageBytes ? bytes : undefined),
      () => undefined,
    )
    this.#read.set(image.ref, read)
    return read
  }
}

function imagesOf(message: Message): readonly MediaRef[] {
  if (message.role !== 'user') return []
  return message.parts.flatMap((part) => (part.type === 'media' && isImage(part.media) ? [part.media] : []))
}

function isImage({ mediaType, bytes = 0 }: MediaRef): boolean {
  return imageTypes.has(mediaType) && bytes <= imageBytes
}
