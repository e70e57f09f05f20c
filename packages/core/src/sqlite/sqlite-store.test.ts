import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import { storeConformance } from '../testing/store-conformance.js'
import { sqliteStore } from './index.js'

storeConformance(
  { describe, it },
  {
    async create() {
      const folder = await mkdtemp(join(tmpdir(), 'hermes-store-'))
      let store = sqliteStore(join(folder, 'hermes.db'))
      await store.open()
      return {
        store,
        async reopen() {
          await store.close()
          store = sqliteStore(join(folder, 'hermes.db'))
          await store.open()
          return store
        },
        async remove() {
          await store.close()
          await rm(folder, { recursive: true })
        },
      }
    },
  },
)
