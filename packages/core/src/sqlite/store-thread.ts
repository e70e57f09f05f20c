import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import { storeError } from './store-error.js'
import type { Answer, FromWorker, ToWorker, WorkerSetup } from './wire.js'

/** Starts the worker thread of a store. */
export type StartWorker = (setup: WorkerSetup) => Worker

/** The worker as it was built. Its file is found through the package, so that sources and bundles start the same one. */
export const startBuiltWorker: StartWorker = (setup) =>
  new Worker(createRequire(import.meta.url).resolve('#sqlite-worker'), { workerData: setup, name: 'hermes-sqlite' })

/** What a thread tells its store. */
export interface ThreadEvents {
  opened(): void
  answered(answers: readonly Answer[], commits: number): void
  /** A file that was no database is out of the way. */
  movedAside(notice: MovedAside): void
  /** The thread is gone; nothing comes from it any more. `cause` is what ended it, if that is known. */
  ended(cause: unknown): void
}

/** What was moved, whereto, and why. */
export type MovedAside = Omit<Extract<FromWorker, { type: 'moved-aside' }>, 'type'>

/** One life of the worker thread. */
export class StoreThread {
  readonly #worker: Worker
  readonly #ended: Promise<void>

  constructor(worker: Worker, events: ThreadEvents) {
    let cause: unknown
    this.#worker = worker
    worker.on('message', (message: FromWorker) => {
      if (message.type === 'refused') cause = storeError(message.failure)
      else tell(events, message)
    })
    worker.on('error', (error) => (cause = error))
    this.#ended = new Promise((resolve) => {
      worker.on('exit', () => {
        events.ended(cause)
        resolve()
      })
    })
  }

  /** Sends commands, each as JSON text, in one message. */
  run(commands: readonly string[], now: number): void {
    this.#send({ type: 'run', now, commands: `[${commands.join(',')}]` })
  }

  /** Does the process stay alive for this thread? */
  holdProcess(isHeld: boolean): void {
    if (isHeld) this.#worker.ref()
    else this.#worker.unref()
  }

  /** Lets the worker finish what was sent, close the database and end. When `hurry` aborts first, it is cut off. */
  async close(hurry: AbortSignal): Promise<void> {
    const cut = (): void => void this.#worker.terminate()
    hurry.addEventListener('abort', cut, { once: true })
    if (hurry.aborted) cut()
    this.holdProcess(true)
    this.#send({ type: 'close' })
    await this.#ended
    hurry.removeEventListener('abort', cut)
  }

  #send(message: ToWorker): void {
    this.#worker.postMessage(message)
  }
}

function tell(events: ThreadEvents, message: Exclude<FromWorker, { type: 'refused' }>): void {
  switch (message.type) {
    case 'opened':
      events.opened()
      break
    case 'answers':
      events.answered(JSON.parse(message.answers) as Answer[], message.commits)
      break
    case 'moved-aside':
      events.movedAside({ path: message.path, place: message.place, reason: message.reason })
      break
  }
}
