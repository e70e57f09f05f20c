import type { Clock } from '@hermes/plugin-sdk'

/** The real clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep(ms, signal) {
    // Not that of node:timers/promises: it makes an error of its own for every wait that ends early, and most of ours do.
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(reasonOf(signal))
      const end = (): void => {
        signal?.removeEventListener('abort', giveUp)
        resolve()
      }
      const timer = setTimeout(end, ms)
      const giveUp = (): void => {
        clearTimeout(timer)
        reject(reasonOf(signal))
      }
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  },
}

function reasonOf(signal: AbortSignal | undefined): Error {
  return signal?.reason as Error
}
