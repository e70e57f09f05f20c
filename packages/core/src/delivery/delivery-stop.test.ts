import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { chatOf, quiet, setUpDelivery } from './delivery-rig.js'
import type { Delivery } from './ports.js'

const running: { readonly delivery: Delivery; readonly clock: FakeClock }[] = []
const ann = chatOf('ann')

async function setUp() {
  const clock = new FakeClock()
  const rig = { ...(await setUpDelivery({ clock })), clock }
  running.push(rig)
  return rig
}

afterEach(async () => {
  for (const { delivery, clock } of running.splice(0)) await Promise.all([delivery.stop(), clock.advance(5000)])
})

describe('stopping the delivery', () => {
  it('waits for the call under way and stores its end', async () => {
    const { post, adapter, delivery, open } = await setUp()
    let release = (): void => {}
    adapter.answer = () => new Promise((resolve) => (release = () => resolve({ status: 'sent', ids: [] })))
    await post(ann, 'hello')
    await quiet()
    const stopped = delivery.stop()
    release()
    await stopped
    expect(await open()).toEqual([])
  })

  it('aborts a call that does not settle in 5 seconds, and its row stays attempting', async () => {
    const { post, adapter, clock, delivery, open } = await setUp()
    adapter.script.push('hang')
    await Promise.all([post(ann, 'hello'), post(ann, 'never begun')])
    await quiet()
    const stopped = delivery.stop()
    await clock.advance(5000)
    await stopped
    expect(adapter.aborted).toBe(1)
    expect(adapter.seen).toHaveLength(1)
    expect((await open()).map((row) => row.state)).toEqual(['attempting', expect.stringMatching(/pending|attempting/)])
  })

  it('leaves no wait behind, whatever it was waiting for', async () => {
    const { post, adapter, clock, delivery, connection } = await setUp()
    adapter.script.push({ status: 'rejected', reason: 'rate-limited', detail: 'no', retryAfterMs: 90_000 })
    await post(ann, 'later')
    await quiet()
    connection.isUp = false
    await delivery.stop()
    expect(clock.sleeping).toEqual([])
    await expect(delivery.stop()).resolves.toBeUndefined()
  })

  it('takes nothing any more', async () => {
    const { add, adapter, delivery } = await setUp()
    const rows = await add(ann, 'too late')
    await delivery.stop()
    delivery.take(rows)
    await quiet()
    expect(adapter.seen).toEqual([])
  })
})
