import { expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { WindowTally } from './window-tally.js'

const take = (tally: WindowTally, key: string, times: number): string[] => Array.from({ length: times }, () => tally.take(key))

it('says once a window that it is too much, for each key by itself', async () => {
  const clock = new FakeClock()
  const tally = new WindowTally({ clock, windowMs: 1000, limit: 2 })
  expect(take(tally, 'a', 4)).toEqual(['within', 'within', 'first-over', 'over'])
  expect(take(tally, 'b', 1)).toEqual(['within'])
  await clock.advance(1000)
  expect(take(tally, 'a', 3)).toEqual(['within', 'within', 'first-over'])
})

it('does not count what is given back, and begins anew where it is told to', () => {
  const tally = new WindowTally({ clock: new FakeClock(), windowMs: 1000, limit: 1 })
  tally.take('a')
  tally.giveBack('a')
  expect(take(tally, 'a', 2)).toEqual(['within', 'first-over'])
  tally.reset('a')
  expect(take(tally, 'a', 1)).toEqual(['within'])
  tally.giveBack('unknown')
})

it('takes everything where the limit is 0', () => {
  expect(new Set(take(new WindowTally({ clock: new FakeClock(), windowMs: 1000, limit: 0 }), 'a', 100))).toEqual(new Set(['within']))
})

it('remembers 10,000 keys and forgets the oldest', () => {
  const tally = new WindowTally({ clock: new FakeClock(), windowMs: 1000, limit: 1 })
  for (let key = 0; key <= 10_000; key++) tally.take(`k${key}`)
  expect(tally.take('k1')).toBe('first-over')
  expect(tally.take('k0')).toBe('within')
})
