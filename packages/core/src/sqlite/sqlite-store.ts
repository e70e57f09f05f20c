import { resolve } from 'node:path'
import { HermesError, parseOptions, type Clock, type Logger } from '@hermes/plugin-sdk'
import { z } from 'zod'
import { randomIds, systemClock } from '../kernel/index.js'
import type { ExecuteOptions, StateStore, StoreCommandName, StoreCommands, StoreHealth } from '../store/index.js'
import { OutstandingCommands } from './outstanding-commands.js'
import { startBuiltWorker, type StartWorker } from './store-thread.js'
import { ThreadKeeper } from './thread-keeper.js'

const storeOptions = z.object({
  path: z
    .string('must be the path of a file')
    .min(1, 'must be the path of a file')
    .refine((path) => !path.startsWith(':'), 'must be the path of a file; memoryStore() of @hermes/core keeps everything in memory'),
  logger: z.custom<Logger>().optional(),
  clock: z.custom<Clock>().optional(),
  patienceMs: z.number().min(0).default(20_000),
})

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The database file; it and its directory are made if they are missing. Sidecar files lie beside it; `<path>-owner` keeps other stores out. */
  readonly path: string
  /** Hears that a bad file was moved aside, and of lost workers. Without it, a file moved aside is a warning of the process. */
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
  /** How long a command waits for a lock that another process holds, milliseconds. Default 20 000. */
  readonly patienceMs?: number | undefined
}

/**
 * A durable store in one SQLite file, served by one worker thread. Needs the package `better-sqlite3`; nothing is touched before
 * `open`, which is refused as `store.locked` while another store has the file open. A file that is no database, or empty, is moved aside; a damaged or newer one is left alone and refused. Files that belong
 * to it lie in `<path>.files`, a directory that whoever writes there makes. Throws `options.invalid`.
 */
export function sqliteStore(options: string | SqliteStoreOptions): StateStore {
  return new SqliteStore(typeof options === 'object' ? options : { path: options }, startBuiltWorker)
}

const closePatienceMs = 10_000

/** The main thread's side of a store: open, closed, and the commands between. */
export class SqliteStore implements StateStore {
  readonly engine = 'sqlite'
  readonly directory: string
  readonly #path: string
  readonly #clock: Clock
  readonly #commands = new OutstandingCommands(randomIds.next('store'))
  readonly #keeper: ThreadKeeper
  #state: 'closed' | 'open' = 'closed'
  #opening: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(options: SqliteStoreOptions, startWorker: StartWorker) {
    const { path, clock = systemClock, patienceMs, logger } = parseOptions(storeOptions, options, 'sqliteStore()')
    this.#path = resolve(path)
    this.directory = `${this.#path}.files`
    this.#clock = clock
    this.#keeper = new ThreadKeeper({ setup: { path: this.#path, patienceMs }, startWorker, commands: this.#commands, clock, logger })
  }

  open(): Promise<void> {
    this.#opening ??= this.#open()
    return this.#opening
  }

  async execute<N extends StoreCommandName>(
    name: N,
    args: StoreCommands[N]['args'],
    options: ExecuteOptions = {},
  ): Promise<StoreCommands[N]['result']> {
    if (this.#state !== 'open') throw stopped(name, this.#path)
    const answer = this.#commands.add(name, args, options.id)
    this.#keeper.flushSoon()
    return (await answer) as StoreCommands[N]['result']
  }

  health(): StoreHealth {
    const state = this.#state === 'open' && !this.#keeper.isRunning ? 'failing' : this.#state
    return { engine: this.engine, state, waiting: this.#commands.size, ...this.#keeper.counts }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #open(): Promise<void> {
    try {
      await this.#closing
      this.#closing = undefined
      await this.#keeper.start()
      this.#state = 'open'
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }

  async #close(): Promise<void> {
    await this.#opening?.catch(() => undefined)
    this.#state = 'closed'
    this.#opening = undefined
    const patience = new AbortController()
    const done = new AbortController()
    const timer = this.#clock.sleep(closePatienceMs, done.signal).then(
      () => patience.abort(),
      () => undefined,
    )
    await this.#keeper.close(patience.signal)
    done.abort()
    await timer
    this.#commands.unsettle(new Error('The store was closed before the answer came.'))
  }
}

function stopped(command: string, path: string): HermesError {
  return new HermesError('stopped', `The store ${path} is not open, so ${command} was refused. Call open() first (a gateway does it in start()).`, {
    what: 'store',
  })
}
