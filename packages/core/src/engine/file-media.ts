import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MediaRef, MediaStore } from '@hermes/plugin-sdk'
import { makeDirectory, randomIds, type Ids } from '../kernel/index.js'
import { missingMedia } from './media-errors.js'

const refPattern = /^media_[a-z2-7]{24}$/

/**
 * Keeps bytes as files of one directory, which is made when it is first needed; only the owner may read them. A reference is
 * random and never a path. `get` rejects with `media.missing`, `put` with what the file system says.
 */
export function createFileMedia(directory: string, ids: Ids = randomIds): MediaStore {
  return {
    async put(bytes, mediaType, name) {
      const ref: MediaRef = { ref: `media_${ids.key()}`, mediaType, bytes: bytes.byteLength, name }
      await makeDirectory(directory, 0o700)
      await writeWhole(join(directory, ref.ref), bytes)
      return ref
    },
    async get({ ref }) {
      if (!refPattern.test(ref)) throw missingMedia(ref)
      try {
        return new Uint8Array(await readFile(join(directory, ref)))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw missingMedia(ref, error)
        throw error
      }
    },
  }
}

/** A file that could not be written whole is taken away again. */
async function writeWhole(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}
