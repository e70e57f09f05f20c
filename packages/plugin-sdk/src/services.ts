/** One line of a log: fields first, then what happened. Errors go in as `error`. Secrets are taken out before anything is written. */
export type Log = (fields: object, message: string) => void

/** The logger that the host lends; it already says whose it is. */
export interface Logger {
  readonly debug: Log
  readonly info: Log
  readonly warn: Log
  readonly error: Log
}

/** Time and chance. Everything that waits uses it, so that a test decides when time passes. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** At least 0, below 1. */
  random(): number
}

/** The undo of something registered. Idempotent. */
export interface Registration extends Disposable {
  dispose(): void
}
