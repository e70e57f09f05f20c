import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SentCommand } from '../wire.js'
import type { Connection } from './connection.js'
import { busy, failed, fileFailure, isBusy } from './driver-failure.js'
import { waitForLock } from './lock-wait.js'
import { failureText, isReadOnly, runBatch } from './run-batch.js'

const batchLimit = 128

/** What the loop works with. */
export interface BatchLoopSetup {
  readonly connection: Connection
  readonly path: string
  readonly patienceMs: number
  /** Takes the answers of one batch as JSON texts, after its commit; `commits` is 0 where nothing was written. */
  readonly answer: (answers: readonly string[], commits: number) => void
}

interface Queued {
  readonly command: SentCommand
  readonly queuedAt: number
}

/** Runs what comes in, all that waits in one transaction, and lets new commands in between two of them. */
export class BatchLoop {
  readonly #with: BatchLoopSetup
  #queue: Queued[] = []
  #now = 0
  #began: number | undefined
  #running: Promise<void> | undefined

  constructor(setup: BatchLoopSetup) {
    this.#with = setup
  }

  /** Queues commands; `now` is the time of the store's clock, milliseconds since the epoch. */
  push(commands: readonly SentCommand[], now: number): void {
    const queuedAt = performance.now()
    for (const command of commands) this.#queue.push({ command, queuedAt })
    this.#now = now
    this.#began ??= now
    this.#running ??= this.#run().finally(() => (this.#running = undefined))
  }

  /** Resolves when nothing is left to run. */
  async idle(): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, batchLimit)
      const error = this.#attempt(batch)
      if (isBusy(error)) await this.#waitForLock()
      else this.#queue = this.#queue.slice(batch.length)
      await nextTurn()
    }
  }

  /** Runs and answers a batch; gives back the lock that was in its way. */
  #attempt(batch: readonly Queued[]): unknown {
    const { connection, path, answer } = this.#with
    const commands = batch.map((queued) => queued.command)
    try {
      const time = { now: this.#now, began: this.#began ?? this.#now }
      answer(runBatch(connection, commands, time), isReadOnly(commands) ? 0 : 1)
    } catch (error) {
      if (isBusy(error)) return error
      const failures = commands.map((command) => failureText(command, fileFailure(error, path) ?? failed(command.name, error)))
      answer(failures, 0)
    }
    return undefined
  }

  /** Waits, and refuses who has waited for too long. */
  async #waitForLock(): Promise<void> {
    const { path, patienceMs, answer } = this.#with
    const [oldest] = this.#queue
    if (!oldest) return
    const waitedMs = performance.now() - oldest.queuedAt
    await waitForLock(waitedMs, patienceMs - waitedMs)
    const expired = this.#queue.filter(({ queuedAt }) => performance.now() - queuedAt >= patienceMs)
    if (expired.length === 0) return
    this.#queue = this.#queue.slice(expired.length)
    answer(
      expired.map(({ command }) => failureText(command, busy(path, patienceMs))),
      0,
    )
  }
}
