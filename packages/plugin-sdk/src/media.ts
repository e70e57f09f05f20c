import type { MediaRef } from './transcript.js'

/** Where bytes live. */
export interface MediaStore {
  put(bytes: Uint8Array, mediaType: string, name?: string): Promise<MediaRef>
  get(ref: MediaRef): Promise<Uint8Array>
}
