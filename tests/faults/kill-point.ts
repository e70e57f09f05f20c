import type { StateStore, StoreCommandName, StoreCommands } from '@hermes/core'

/** Where a process ends itself, as by `kill -9`: before or after a command of the store, which may have to hold a certain fact. */
export interface KillPoint {
  readonly moment: 'before' | 'after'
  readonly command: StoreCommandName
  /** Only for commands with this in their arguments. */
  readonly containing?: string | undefined
  /** The how-manieth of them; default the first. */
  readonly nth?: number | undefined
}

/** The same store, in a process that dies at the point. */
export function withKillPoint(store: StateStore, point: KillPoint | undefined): StateStore {
  if (!point) return store
  let left = point.nth ?? 1
  const isMet = (name: StoreCommandName, args: unknown): boolean => {
    if (name !== point.command) return false
    if (point.containing !== undefined && !JSON.stringify(args).includes(point.containing)) return false
    left -= 1
    return left === 0
  }
  return {
    engine: store.engine,
    directory: store.directory,
    open: () => store.open(),
    close: () => store.close(),
    health: () => store.health(),
    async execute<N extends StoreCommandName>(name: N, args: StoreCommands[N]['args'], options?: { id?: string | undefined }) {
      const dies = isMet(name, args)
      if (dies && point.moment === 'before') await die()
      const result = await store.execute(name, args, options)
      if (dies) await die()
      return result
    },
  }
}

/** SIGKILL takes effect at once; nothing of this process runs after it. */
function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
