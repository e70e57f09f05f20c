import { describe, expect, it } from 'vitest'
import { createLocalDispatch } from './lane-dispatch.js'

/** A drain that notes its lanes and ends when the test says so. */
function heldDrain() {
  const begun: string[] = []
  const releases = new Map<string, () => void>()
  const drain = (lane: string): Promise<void> => {
    begun.push(lane)
    return new Promise((resolve) => releases.set(lane, resolve))
  }
  const release = async (lane: string): Promise<void> => {
    releases.get(lane)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, drain, release }
}

describe('the local dispatch', () => {
  it('drains a lane once at a time, and once more when it was woken meanwhile', async () => {
    const dispatch = createLocalDispatch(10)
    const { begun, drain, release } = heldDrain()
    dispatch.serve(drain)
    dispatch.wake('a')
    dispatch.wake('a')
    dispatch.wake('a')
    expect(begun).toEqual(['a'])
    await release('a')
    expect(begun).toEqual(['a', 'a'])
    await release('a')
    expect(begun).toEqual(['a', 'a'])
  })

  it('keeps its bound, and lets lanes in by the order of their waking', async () => {
    const dispatch = createLocalDispatch(2)
    const { begun, drain, release } = heldDrain()
    dispatch.serve(drain)
    for (const lane of ['a', 'b', 'c', 'd']) dispatch.wake(lane)
    expect(begun).toEqual(['a', 'b'])
    await release('b')
    expect(begun).toEqual(['a', 'b', 'c'])
    await release('a')
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  it('remembers what was woken before anybody served', () => {
    const dispatch = createLocalDispatch(2)
    const { begun, drain } = heldDrain()
    dispatch.wake('a')
    expect(begun).toEqual([])
    dispatch.serve(drain)
    expect(begun).toEqual(['a'])
  })
})
