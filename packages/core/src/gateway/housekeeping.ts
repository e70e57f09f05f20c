import type { Clock, Logger } from '@hermes/plugin-sdk'
import type { StateStore } from '../store/index.js'

const hourMs = 3_600_000
/** A platform delivers again within two days at the latest: so long an event is remembered as a duplicate. */
const duplicateMemoryMs = 48 * hourMs

/** Forgets, once an hour, what is no longer needed. */
export interface Housekeeping {
  start(): void
  stop(): Promise<void>
}

/** Makes the housekeeping; `signal` ends it. */
export function createHousekeeping(ports: {
  readonly store: StateStore
  readonly clock: Clock
  readonly logger: Logger
  readonly signal: AbortSignal
}): Housekeeping {
  let running: Promise<void> = Promise.resolve()
  const run = async (): Promise<void> => {
    while (!ports.signal.aborted) {
      try {
        await ports.store.execute('inbox.forget', { before: ports.clock.now() - duplicateMemoryMs })
      } catch (error) {
        ports.logger.warn({ error }, 'Old events could not be forgotten; the next hour tries again.')
      }
      await ports.clock.sleep(hourMs, ports.signal).catch(() => undefined)
    }
  }
  return {
    start: () => void (running = run()),
    stop: () => running,
  }
}
