import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { systemClock } from './index.js'

describe('a sleep of the system clock', () => {
  it('ends after its time and leaves no listener', async () => {
    const { signal } = new AbortController()
    await systemClock.sleep(1, signal)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('ends early with the very reason of its signal', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const slept = systemClock.sleep(60_000, controller.signal)
    controller.abort(reason)
    await expect(slept).rejects.toBe(reason)
    await expect(systemClock.sleep(60_000, controller.signal)).rejects.toBe(reason)
  })
})
