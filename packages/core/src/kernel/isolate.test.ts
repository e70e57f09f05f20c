import { describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { isolate } from './index.js'

const limits = (clock: FakeClock, signal?: AbortSignal) => ({ clock, timeoutMs: 1000, what: 'plugin x: register', signal })

describe('isolate', () => {
  it('gives the value of a callback, and starts no timer for one that answers at once', async () => {
    const clock = new FakeClock()
    expect(await isolate(() => 5, limits(clock))).toEqual({ ok: true, value: 5 })
    expect(await isolate(() => Promise.resolve(6), limits(clock))).toEqual({ ok: true, value: 6 })
    expect(clock.sleeping).toEqual([])
  })

  it('catches what is thrown, at once and later', async () => {
    const clock = new FakeClock()
    const error = new Error('no')
    expect(
      await isolate(() => {
        throw error
      }, limits(clock)),
    ).toEqual({ ok: false, error })
    expect(await isolate(() => Promise.reject(error), limits(clock))).toEqual({ ok: false, error })
  })

  it('leaves behind a callback that hangs, tells it so, and ignores what comes of it', async () => {
    const clock = new FakeClock()
    let failLate: (error: Error) => void = () => {}
    let told: AbortSignal | undefined
    const run = isolate((signal) => {
      told = signal
      return new Promise<void>((_, reject) => (failLate = reject))
    }, limits(clock))
    await clock.slept()
    await clock.advance(1000)
    expect(await run).toMatchObject({ ok: false, error: { code: 'timed-out', detail: { what: 'plugin x: register', timeoutMs: 1000 } } })
    expect(told?.aborted).toBe(true)
    failLate(new Error('late'))
  })

  it('ends when its signal aborts, and does not begin after that', async () => {
    const clock = new FakeClock()
    const stop = new AbortController()
    const run = isolate(() => new Promise(() => {}), limits(clock, stop.signal))
    stop.abort('over')
    expect(await run).toEqual({ ok: false, error: 'over' })
    expect(await isolate(() => expect.unreachable(), limits(clock, stop.signal))).toEqual({ ok: false, error: 'over' })
    expect(clock.sleeping).toEqual([])
  })
})
