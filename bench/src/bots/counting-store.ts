import { fullyDurable, type StateStore } from '@hermes/core'

/** A store that counts what goes to it. */
export interface CountingStore extends StateStore {
  /** Commands that had to be on disk before they were answered. */
  durableCommands(): number
}

/** The store as it is, with a counter before it. */
export function countingStore(store: StateStore): CountingStore {
  let count = 0
  return {
    engine: store.engine,
    directory: store.directory,
    open: () => store.open(),
    execute(name, args, options) {
      if (fullyDurable.has(name)) count += 1
      return store.execute(name, args, options)
    },
    health: () => store.health(),
    close: () => store.close(),
    durableCommands: () => count,
  }
}
