/** How an adapter instance is. */
export interface AdapterState {
  /**
   * `degraded`: connected, but not well. `retrying`: the next attempt to connect has a date. `fatal`: it cannot work until
   * somebody changes something. `stopped`: before the start and after the end.
   */
  readonly state: 'stopped' | 'connecting' | 'connected' | 'degraded' | 'retrying' | 'fatal'
  /** Why it is not well, without secrets. */
  readonly reason?: string | undefined
  /** When this state began, milliseconds since the epoch. */
  readonly since: number
  /** Failed attempts in a row. */
  readonly attempts: number
  /** With `retrying`: when the next attempt is due. */
  readonly nextAttemptAt?: number | undefined
}
