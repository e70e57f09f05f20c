import { describe, it } from 'vitest'
import { storeConformance } from '../../testing/store-conformance.js'
import { memoryStore } from './memory-store.js'

storeConformance(
  { describe, it },
  {
    async create() {
      const store = memoryStore()
      await store.open()
      return { store, remove: () => store.close() }
    },
  },
)
