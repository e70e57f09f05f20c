/** How long the poller waits after each kind of trouble. All values are milliseconds; data, so that a composer or a test can pass others. */
export interface Ladders {
  /** One wait for each lost connection in a row; one more than there are waits ends the connection. */
  readonly networkWaitsMs: readonly number[]
  /** The same for 409: somebody else polls with this token. */
  readonly conflictWaitsMs: readonly number[]
  /** The waits after 5xx answers; the last one repeats while `serverErrorPeriodMs` lasts. Then `networkWaitsMs` applies. */
  readonly serverErrorWaitsMs: readonly number[]
  readonly serverErrorPeriodMs: number
}

/** What the options use unless they say otherwise. */
export const defaultLadders = {
  networkWaitsMs: [5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000, 60_000, 60_000, 60_000],
  conflictWaitsMs: [20_000, 30_000, 40_000, 50_000, 60_000],
  serverErrorWaitsMs: [100, 200, 400],
  serverErrorPeriodMs: 10_000,
} as const satisfies Ladders
