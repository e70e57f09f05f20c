import type { MediaRef, MediaStore } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import { missingMedia } from './media-errors.js'

/** Keeps bytes for as long as the store itself lives. `get` rejects with `media.missing`. */
export function createMemoryMedia(ids: Ids): MediaStore {
  const kept = new Map<string, Uint8Array>()
  return {
    put(bytes, mediaType, name) {
      const ref: MediaRef = { ref: `media_${ids.key()}`, mediaType, bytes: bytes.byteLength, name }
      kept.set(ref.ref, bytes.slice())
      return Promise.resolve(ref)
    },
    get({ ref }) {
      const bytes = kept.get(ref)
      return bytes ? Promise.resolve(bytes.slice()) : Promise.reject(missingMedia(ref))
    },
  }
}
