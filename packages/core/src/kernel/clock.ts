import { setTimeout as sleepFor } from 'node:timers/promises'
import type { Clock } from '@hermes/plugin-sdk'

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  async sleep(ms, signal) {
    signal?.throwIfAborted()
    try {
      await sleepFor(ms, undefined, signal ? { signal } : undefined)
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    }
  },
}
