import type { MediaStore } from '@hermes/plugin-sdk'
import { join } from 'node:path'
import { createFileMedia, createMemoryMedia } from '../engine/index.js'
import type { Ids } from '../kernel/index.js'
import type { StateStore } from '../store/index.js'

/** Where the bytes of conversations lie: in the data directory, else beside the store, else in memory. */
export function openMedia(dataDir: string | undefined, store: Pick<StateStore, 'directory'>, ids: Ids): MediaStore {
  const directory = dataDir ?? store.directory
  return directory === undefined ? createMemoryMedia(ids) : createFileMedia(join(directory, 'media'), ids)
}
