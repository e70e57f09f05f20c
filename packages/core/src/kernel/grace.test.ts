import { expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { afterGrace } from './grace.js'

it('aborts some time after the other signal, with its reason', async () => {
  const clock = new FakeClock()
  const first = new AbortController()
  const late = afterGrace(first.signal, { clock, graceMs: 1000 })
  first.abort('closing')
  await clock.advance(999)
  expect(late.signal.aborted).toBe(false)
  await clock.advance(1)
  expect(late.signal.reason).toBe('closing')
})

it('waits for nothing once it is disposed, before and after the other signal', async () => {
  const clock = new FakeClock()
  const first = new AbortController()
  const early = afterGrace(first.signal, { clock, graceMs: 1000 })
  const during = afterGrace(first.signal, { clock, graceMs: 1000 })
  early[Symbol.dispose]()
  first.abort('closing')
  during[Symbol.dispose]()
  expect(clock.sleeping).toEqual([])
  await clock.advance(1000)
  expect([early.signal.aborted, during.signal.aborted]).toEqual([false, false])
})
