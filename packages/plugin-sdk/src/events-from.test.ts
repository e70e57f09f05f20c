import { describe, expect, it } from 'vitest'
import type { RuntimeEvent } from './agent.js'
import { eventsFrom } from './events-from.js'

const state = (value: number): RuntimeEvent => ({ type: 'state-set', state: value })
async function all(events: AsyncIterable<RuntimeEvent>): Promise<RuntimeEvent[]> {
  const list: RuntimeEvent[] = []
  for await (const event of events) list.push(event)
  return list
}
const tick = () => new Promise((resolve) => setImmediate(resolve))

describe('eventsFrom', () => {
  it('gives what the loop emits in order, and resolves an emission when the next event is asked for', async () => {
    const log: string[] = []
    const events = eventsFrom(async (emit) => {
      for (const value of [1, 2]) {
        await emit(state(value))
        log.push(`emitted ${value}`)
      }
    })
    for await (const event of events) {
      await tick()
      log.push(`handled ${JSON.stringify(event)}`)
    }
    expect(log).toEqual(['handled {"type":"state-set","state":1}', 'emitted 1', 'handled {"type":"state-set","state":2}', 'emitted 2'])
  })

  it('gives what was emitted before the loop returned without waiting', async () => {
    const events = eventsFrom((emit) => {
      void emit(state(1))
      void emit(state(2))
      return Promise.resolve()
    })
    expect(await all(events)).toEqual([state(1), state(2)])
  })

  it.each([
    ['rejects', () => Promise.reject(new Error('loop'))],
    [
      'throws',
      () => {
        throw new Error('loop')
      },
    ],
  ])('throws what the loop %s with, behind what it emitted', async (_what, fail) => {
    const seen: RuntimeEvent[] = []
    const reading = async () => {
      for await (const event of eventsFrom(async (emit) => (void emit(state(1)), fail()))) seen.push(event)
    }
    await expect(reading()).rejects.toThrow('loop')
    expect(seen).toEqual([state(1)])
  })

  // engine-api 12: callback loop unwinds after a stop · engine-api G5
  it('lets the loop unwind when nobody takes more, and waits for it', async () => {
    const log: string[] = []
    const events = eventsFrom(async (emit) => {
      try {
        await emit(state(1))
        log.push('went on')
      } catch (error) {
        log.push((error as Error).name)
        log.push(await emit(state(2)).then(String, (refusal: Error) => refusal.message))
        throw error
      } finally {
        await tick()
        log.push('unwound')
      }
    })
    for await (const _event of events) break
    expect(log).toEqual(['AbortError', 'The turn takes no more events: it was stopped.', 'unwound'])
  })

  it('does not end the process when emissions that nobody awaits are refused', async () => {
    const events = eventsFrom(async (emit) => {
      void emit(state(1))
      void emit(state(2))
      await emit(state(3))
    })
    for await (const event of events) {
      expect(event).toEqual(state(1))
      break
    }
    await tick()
  })

  it('refuses to pile up emissions without end', async () => {
    let refused = 0
    const events = eventsFrom(async (emit) => {
      await Promise.all(Array.from({ length: 1_001 }, (_, index) => emit(state(index)).catch(() => refused++)))
    })
    expect(await all(events)).toHaveLength(1_000)
    expect(refused).toBe(1)
  })
})
