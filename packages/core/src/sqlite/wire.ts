import type { HermesErrorDetails } from '@hermes/plugin-sdk'
import type { StoreCommandName, StoreCommands } from '../store/index.js'

/** What a worker thread is started with. */
export interface WorkerSetup {
  readonly path: string
  /** How long a command waits for a lock that another process holds, milliseconds. */
  readonly patienceMs: number
}

/** A command on its way. `number` is its place in the order of calls and pairs it with its answer. */
export interface SentCommand<N extends StoreCommandName = StoreCommandName> {
  readonly number: number
  readonly id: string
  readonly name: N
  readonly args: StoreCommands[N]['args']
}

/** Main thread to worker. `commands` is the JSON text of an array of `SentCommand`: cheaper to pass than the objects. */
export type ToWorker = { readonly type: 'run'; readonly now: number; readonly commands: string } | { readonly type: 'close' }

/** Worker to main thread. `answers` is the JSON text of an array of `Answer`. */
export type FromWorker =
  | { readonly type: 'opened' }
  | { readonly type: 'refused'; readonly failure: StoreFailure }
  | { readonly type: 'answers'; readonly answers: string; readonly commits: number }
  | { readonly type: 'moved-aside'; readonly path: string; readonly place: string; readonly reason: string }

/** What became of a command. Without a failure it was applied; no `result` means `undefined`. */
export interface Answer {
  readonly number: number
  readonly result?: unknown
  readonly failure?: StoreFailure | undefined
}

type FailureCode = Extract<keyof HermesErrorDetails, `store.${string}`>

/** A `HermesError` as data: classes do not survive the way between threads. */
export type StoreFailure = { [C in FailureCode]: { readonly code: C; readonly message: string; readonly detail: HermesErrorDetails[C] } }[FailureCode]
