import { expect, it } from 'vitest'
import { KeyedGate } from './keyed-gate.js'

it('holds what comes behind a holding task of the same key, and nothing else', async () => {
  const gate = new KeyedGate()
  const log: string[] = []
  let release = (): void => {}
  gate.enter('a', true, async () => {
    log.push('hold')
    await new Promise<void>((resolve) => (release = resolve))
    log.push('held')
  })
  gate.enter('a', false, async () => void log.push('behind'))
  gate.enter('a', false, async () => void log.push('last'))
  gate.enter('b', false, async () => void log.push('other'))
  await Promise.resolve()
  expect(log).toEqual(['hold', 'other'])
  release()
  await gate.idle()
  expect(log).toEqual(['hold', 'other', 'held', 'behind', 'last'])
})
