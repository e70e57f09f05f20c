import type { Clock, Logger } from '@hermes/plugin-sdk'
import type { StateStore } from '../store/index.js'

const hourMs = 3_600_000
/** A platform delivers again within two days at the latest: so long an event is remembered as a duplicate, and what came of it. */
const memoryMs = 48 * hourMs
/** Rows of a kind that are forgotten at once: the store has other work, too. */
const forgottenAtOnce = 1000

/** Forgets, once an hour, what is no longer needed. */
export interface Housekeeping {
  start(): void
  stop(): Promise<void>
}

/** What the housekeeping needs; `signal` ends it. */
export interface HousekeepingPorts {
  readonly store: StateStore
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}

/** Makes the housekeeping. */
export function createHousekeeping(ports: HousekeepingPorts): Housekeeping {
  let running: Promise<void> = Promise.resolve()
  const run = async (): Promise<void> => {
    while (!ports.signal.aborted) {
      try {
        await forgetOld(ports)
      } catch (error) {
        ports.logger.warn({ error }, 'What is old could not be forgotten; the next hour tries again.')
      }
      await ports.clock.sleep(hourMs, ports.signal).catch(() => undefined)
    }
  }
  return {
    start: () => void (running = run()),
    stop: () => running,
  }
}

async function forgetOld({ store, clock, signal }: HousekeepingPorts): Promise<void> {
  const before = clock.now() - memoryMs
  let forgotten = forgottenAtOnce
  while (forgotten >= forgottenAtOnce && !signal.aborted) forgotten = await store.execute('store.forget', { before, limit: forgottenAtOnce })
}
