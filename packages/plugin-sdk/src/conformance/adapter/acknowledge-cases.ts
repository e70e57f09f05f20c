import assert from 'node:assert/strict'
import { HermesError } from '../../errors.js'
import { pause, until, within } from '../waiting.js'
import { leave, openReceipt, type AdapterCase } from './stage.js'

/** What an adapter may have asked for without a receipt: the largest page of a platform, and some. */
const mostReadAhead = 250

/** When the platform may forget what it told. */
export const acknowledgeCases: readonly AdapterCase[] = [
  [
    'nothing is acknowledged before it is received',
    async (stage) => {
      const double = stage.able('isAcknowledged')
      const open = openReceipt()
      const host = stage.host()
      host.answer = () => open.receipt
      await within(host.connect(), 'connect resolves')
      const id = await stage.double.say(stage.dm, 'slow')
      await until(() => host.events.length > 0, 'the message arrives')
      await pause(50)
      assert.equal(double.isAcknowledged(id), false)
      open.give('stored')
      await until(() => double.isAcknowledged(id), 'what was received is acknowledged')
    },
  ],
  [
    'while the first message is not received, few others are asked for, and all arrive later',
    async (stage) => {
      stage.able('isAcknowledged')
      const open = openReceipt()
      const host = stage.host()
      host.answer = () => open.receipt
      await within(host.connect(), 'connect resolves')
      const texts = Array.from({ length: 1_000 }, (_, index) => `message ${index}`)
      for (const text of texts) await stage.double.say(stage.dm, text)
      await until(() => host.events.length > 0, 'the first message arrives')
      await pause(100)
      assert.ok(host.events.length <= mostReadAhead, `${host.events.length} messages wait in the memory of this process`)
      open.give('stored')
      await until(() => host.events.length >= texts.length, 'all messages arrive')
      assert.deepEqual(host.texts, texts)
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
