import assert from 'node:assert/strict'
import { HermesError } from '../../errors.js'
import type { Receipt } from '../../events.js'
import { pause, until, within } from '../waiting.js'
import { leave, type AdapterCase } from './stage.js'

/** When the platform may forget what it told. */
export const acknowledgeCases: readonly AdapterCase[] = [
  [
    'nothing is acknowledged before it is received',
    async (stage) => {
      const double = stage.able('isAcknowledged')
      let give: (receipt: Receipt) => void = () => undefined
      const receipt = new Promise<Receipt>((resolve) => (give = resolve))
      const host = stage.host()
      host.answer = () => receipt
      await within(host.connect(), 'connect resolves')
      const id = await stage.double.say(stage.dm, 'slow')
      await until(() => host.events.length > 0, 'the message arrives')
      await pause(50)
      assert.equal(double.isAcknowledged(id), false)
      give('stored')
      await until(() => double.isAcknowledged(id), 'what was received is acknowledged')
    },
  ],
  [
    'what is known or unwanted is acknowledged as well',
    async (stage) => {
      const double = stage.able('isAcknowledged')
      for (const receipt of ['duplicate', 'ignored'] as const) {
        const host = stage.host()
        host.answer = () => Promise.resolve(receipt)
        await within(host.connect(), 'connect resolves')
        const id = await stage.double.say(stage.dm, receipt)
        await until(() => double.isAcknowledged(id), `what is ${receipt} is acknowledged`)
        await leave(host)
      }
    },
  ],
  [
    'what was rejected comes again with the same id and in order, and is acknowledged then',
    async (stage) => {
      const double = stage.able('isAcknowledged')
      const host = stage.host()
      let isFull = true
      host.answer = () => (isFull ? Promise.reject(full()) : Promise.resolve('stored'))
      await within(host.connect(), 'connect resolves')
      const ids = [await stage.double.say(stage.dm, 'one'), await stage.double.say(stage.dm, 'two')]
      await until(() => host.texts.includes('two') || host.texts.length > 1, 'the messages arrive')
      assert.deepEqual(
        ids.map((id) => double.isAcknowledged(id)),
        [false, false],
      )
      const before = host.events.length
      isFull = false
      await until(() => ids.every((id) => double.isAcknowledged(id)), 'what was rejected is acknowledged')
      assert.deepEqual(
        host.events
          .slice(before)
          .flatMap((event) => ('text' in event ? [event.text] : []))
          .slice(-2),
        ['one', 'two'],
      )
      assert.equal(new Set(host.events.map(({ id }) => id)).size, 2)
    },
  ],
  [
    'what was rejected comes to the next connection, with the same id',
    async (stage) => {
      const first = stage.host()
      first.answer = () => Promise.reject(full())
      await within(first.connect(), 'connect resolves')
      await stage.double.say(stage.dm, 'again')
      await until(() => first.events.length > 0, 'the message arrives')
      await within(leave(first), 'disconnect resolves')
      const second = await stage.connected()
      await until(() => second.events.length > 0, 'the message arrives again')
      assert.deepEqual([second.texts[0], second.events[0]?.id], ['again', first.events[0]?.id])
    },
  ],
]

function full(): Error {
  return new HermesError('inbox.unavailable', 'The inbox is full.', { retryAfterMs: 1_000 })
}
