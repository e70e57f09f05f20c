import { setTimeout as sleepFor } from 'node:timers/promises'
import { isBusy } from './driver-failure.js'

/** SQLite's own wait for a lock, milliseconds; longer waits are the loop's, so that it hears of a close meanwhile. */
export const lockTimeoutMs = 50

/** Short waits at first, long ones when the lock is held for longer, milliseconds. */
const ladder = { quickUntilMs: 2000, quick: [20, 150], slow: [250, 1000] } as const

/** Waits a while for a lock that somebody else holds; the longer it is held, the longer. */
export async function waitForLock(waitedMs: number, leftMs: number): Promise<void> {
  const [least, most] = waitedMs < ladder.quickUntilMs ? ladder.quick : ladder.slow
  await sleepFor(Math.min(Math.max(leftMs, 1), least + Math.random() * (most - least)))
}

/** Does something until no lock is in its way; throws the last error when `patienceMs` are over. */
export async function withoutLock<T>(patienceMs: number, act: () => T): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return act()
    } catch (error) {
      const waitedMs = performance.now() - began
      if (!isBusy(error) || waitedMs >= patienceMs) throw error
      await waitForLock(waitedMs, patienceMs - waitedMs)
    }
  }
}
