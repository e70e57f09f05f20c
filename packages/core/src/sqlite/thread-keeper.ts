import type { Clock, Logger } from '@hermes/plugin-sdk'
import type { OutstandingCommands } from './outstanding-commands.js'
import { RestartLimit } from './restart-limit.js'
import { StoreThread, type MovedAside, type StartWorker } from './store-thread.js'
import type { WorkerSetup } from './wire.js'

/** What keeping a thread needs. */
export interface ThreadKeeperSetup {
  readonly setup: WorkerSetup
  readonly startWorker: StartWorker
  readonly commands: OutstandingCommands
  readonly clock: Clock
  readonly logger: Logger | undefined
}

interface Opening {
  resolve(): void
  reject(cause: unknown): void
}

/**
 * Keeps one worker thread serving: sends it what waits, as soon as it has answered what it was sent before, so that a busy store makes
 * few large commits and not many small ones. Replaces a thread that died. The new one gets all that has
 * no answer, in the same order and with the same ids, so that nothing is applied twice.
 */
export class ThreadKeeper {
  readonly #with: ThreadKeeperSetup
  readonly #restarts: RestartLimit
  #thread: StoreThread | undefined
  #opening: Opening | undefined
  #isClosing = false
  #isFlushing = false
  #commits = 0
  #lastError: string | undefined

  constructor(setup: ThreadKeeperSetup) {
    this.#with = setup
    this.#restarts = new RestartLimit(setup.clock)
  }

  get isRunning(): boolean {
    return this.#thread !== undefined
  }

  get counts(): { readonly commits: number; readonly restarts: number; readonly lastError: string | undefined } {
    return { commits: this.#commits, restarts: this.#restarts.count, lastError: this.#lastError }
  }

  /** Starts the first thread. Rejects with what the worker says when it cannot open the file. */
  start(): Promise<void> {
    this.#isClosing = false
    return new Promise((resolve, reject) => {
      this.#opening = { resolve, reject }
      this.#thread = this.#begin()
    })
  }

  /** Sends what waits at once, with what the same microtasks bring; or when the thread is free. */
  flushSoon(): void {
    this.#thread?.holdProcess(true)
    if (this.#isFlushing) return
    this.#isFlushing = true
    queueMicrotask(() => {
      this.#isFlushing = false
      if (this.#with.commands.sent === 0) this.#flush()
    })
  }

  /** Ends the thread after what was sent to it; cuts it off when `hurry` aborts. */
  async close(hurry: AbortSignal): Promise<void> {
    this.#flush()
    this.#isClosing = true
    await this.#thread?.close(hurry)
  }

  #flush(): void {
    if (!this.#thread) this.#replace()
    const unsent = this.#with.commands.takeUnsent()
    if (unsent.length > 0) this.#thread?.run(unsent, this.#with.clock.now())
  }

  #begin(): StoreThread {
    const { startWorker, setup, commands } = this.#with
    const thread: StoreThread = new StoreThread(startWorker(setup), {
      opened: () => {
        this.#opening?.resolve()
        this.#opening = undefined
        thread.holdProcess(commands.size > 0)
      },
      answered: (answers, commits) => {
        this.#commits += commits
        for (const { failure } of answers) if (failure) this.#lastError = failure.message
        commands.answer(answers)
        if (commands.sent === 0 && commands.size > 0) this.flushSoon()
        thread.holdProcess(commands.size > 0 || this.#isClosing)
      },
      movedAside: (notice) => this.#reportMovedAside(notice),
      ended: (cause) => this.#ended(cause),
    })
    return thread
  }

  #ended(cause: unknown): void {
    this.#thread = undefined
    if (this.#opening) {
      this.#opening.reject(cause ?? new Error('The worker thread of the store ended before it was ready.'))
      this.#opening = undefined
    } else if (!this.#isClosing) {
      this.#lastError = cause instanceof Error ? cause.message : 'the worker thread ended'
      this.#with.logger?.warn({ error: cause, waiting: this.#with.commands.size }, 'The worker thread of the store was lost.')
      if (this.#with.commands.size > 0) this.#replace(cause)
    }
  }

  /** A new thread for what has no answer; if threads die too fast, those commands are given up. */
  #replace(cause?: unknown): void {
    const { commands, clock } = this.#with
    if (commands.size === 0) return
    if (this.#restarts.take()) {
      this.#thread = this.#begin()
      this.#thread.run(commands.takeAll(), clock.now())
    } else {
      commands.unsettle(cause)
    }
  }

  #reportMovedAside(notice: MovedAside): void {
    const message = `${notice.path} is no database (${notice.reason}). It was moved to ${notice.place}, and a fresh store was made.`
    if (this.#with.logger) this.#with.logger.error(notice, message)
    else process.emitWarning(message)
  }
}
