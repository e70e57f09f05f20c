import type { StoreCommandName, StoreCommands } from './commands.js'

/**
 * Everything that hermes remembers. A unit of work is a named command with plain data: it is all or nothing, it never spans an
 * await, and with the same `id` it is applied once, however often it is sent within ten minutes.
 *
 * Commands of one store take effect in the order of the calls. `execute` rejects with a `HermesError`:
 * `store.busy` (another process holds the file for too long; it is sound), `store.overloaded` (too many commands wait),
 * `store.unsettled` (whether the command took effect is not known: send it again with the same id), `store.corrupt`,
 * `store.full` (no space left, or read-only), `store.unavailable` (the file cannot be reached now), `store.failed` (this command can never
 * succeed), and `stopped` before `open` and after `close`.
 */
export interface StateStore {
  readonly engine: 'sqlite' | 'memory' | (string & {})
  /** A directory beside its file, for files that belong to it, as an absolute path; whoever writes there makes it. None where nothing lies on disk. */
  readonly directory?: string | undefined
  /** Idempotent; after a close, or when it failed, it may be called again. Rejects with `store.unavailable`, `.corrupt`, `.newer`, `.full`, `.busy`, or `.locked` while another one is open on the same data. */
  open(): Promise<void>
  execute<N extends StoreCommandName>(name: N, args: StoreCommands[N]['args'], options?: ExecuteOptions): Promise<StoreCommands[N]['result']>
  health(): StoreHealth
  /** Idempotent. Refuses what is new, waits for what is under way (at most 10 s), closes. */
  close(): Promise<void>
}

export interface ExecuteOptions {
  /** Idempotency key, kept for at least ten minutes, also over a restart. */
  readonly id?: string | undefined
}

export interface StoreHealth {
  readonly engine: string
  readonly state: 'closed' | 'open' | 'failing'
  /** Commands that wait for their answer. */
  readonly waiting: number
  readonly commits: number
  readonly restarts: number
  readonly lastError?: string | undefined
}

declare module '@hermes/plugin-sdk' {
  interface HermesErrorDetails {
    'store.unavailable': { readonly path: string; readonly reason: string }
    'store.busy': { readonly path: string; readonly waitedMs: number }
    'store.locked': { readonly path: string }
    'store.overloaded': { readonly waiting: number }
    'store.unsettled': { readonly command: string; readonly id: string }
    'store.corrupt': { readonly path: string; readonly problem: string }
    'store.newer': { readonly path: string; readonly version: number; readonly supported: number }
    'store.full': { readonly path: string; readonly reason: string }
    'store.failed': { readonly command: string; readonly reason: string }
  }
}
