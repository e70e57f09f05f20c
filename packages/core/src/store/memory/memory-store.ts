import { HermesError, type Clock } from '@hermes/plugin-sdk'
import { systemClock } from '../../kernel/index.js'
import { appliedMemoryMs } from '../applied-memory.js'
import type { CommandHandlers } from '../command-handlers.js'
import { readingCommands, repeatableCommands, type StoreCommandName, type StoreCommands } from '../commands.js'
import type { ExecuteOptions, StateStore, StoreHealth } from '../state-store.js'
import { accountCommands } from './account-commands.js'
import { collectionCommands } from './collection-commands.js'
import { inboxCommands } from './inbox-commands.js'
import { outboxCommands } from './outbox-commands.js'
import { pairingCommands } from './pairing-commands.js'
import { runCommands } from './run-commands.js'
import { sessionCommands } from './session-commands.js'
import { storeCommands } from './store-commands.js'
import { emptyTables, type Tables } from './tables.js'
import { turnCommands } from './turn-commands.js'

const handlers: CommandHandlers<Tables> = {
  ...inboxCommands,
  ...sessionCommands,
  ...runCommands,
  ...turnCommands,
  ...outboxCommands,
  ...pairingCommands,
  ...collectionCommands,
  ...accountCommands,
  ...storeCommands,
}

/**
 * A store that forgets everything with its process: for tests, demos and agents without a gateway. What goes in and comes out is
 * plain data by JSON, as in a durable store. Opened again after a close it still knows what it held.
 */
export function memoryStore(options: { readonly clock?: Clock | undefined } = {}): StateStore {
  return new MemoryStore(options.clock ?? systemClock)
}

class MemoryStore implements StateStore {
  readonly engine = 'memory'
  readonly #clock: Clock
  readonly #tables = emptyTables()
  readonly #applied = new Map<string, { readonly result: unknown; readonly until: number }>()
  #isOpen = false
  #commits = 0
  #lastError: string | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async open(): Promise<void> {
    this.#isOpen = true
  }

  async execute<N extends StoreCommandName>(
    name: N,
    args: StoreCommands[N]['args'],
    options: ExecuteOptions = {},
  ): Promise<StoreCommands[N]['result']> {
    if (!this.#isOpen) throw new HermesError('stopped', `The store is not open, so ${name} was refused. Call open() first.`, { what: 'store' })
    this.#forgetApplied()
    const known = options.id === undefined ? undefined : this.#applied.get(options.id)
    if (known) return copyOf(known.result) as StoreCommands[N]['result']
    const result = this.#run(name, args)
    if (options.id === undefined || repeatableCommands.has(name)) return result
    this.#applied.set(options.id, { result, until: this.#clock.now() + appliedMemoryMs })
    return copyOf(result)
  }

  health(): StoreHealth {
    return {
      engine: this.engine,
      state: this.#isOpen ? 'open' : 'closed',
      waiting: 0,
      commits: this.#commits,
      restarts: 0,
      lastError: this.#lastError,
    }
  }

  async close(): Promise<void> {
    this.#isOpen = false
  }

  #run<N extends StoreCommandName>(name: N, args: StoreCommands[N]['args']): StoreCommands[N]['result'] {
    try {
      const result = copyOf(handlers[name](this.#tables, copyOf(args)))
      if (!readingCommands.has(name)) this.#commits++
      return result
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      this.#lastError = reason
      throw new HermesError(
        'store.failed',
        `The store could not run ${name}: ${reason}. Nothing was changed.`,
        { command: name, reason },
        { cause: error },
      )
    }
  }

  #forgetApplied(): void {
    const now = this.#clock.now()
    // Ids are kept in order of their use, so the first that is still valid ends the search.
    for (const [id, { until }] of this.#applied) {
      if (until > now) break
      this.#applied.delete(id)
    }
  }
}

function copyOf<T>(value: T): T {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T)
}
