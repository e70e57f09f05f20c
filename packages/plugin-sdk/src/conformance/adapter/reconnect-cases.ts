import assert from 'node:assert/strict'
import { pause, until, within } from '../waiting.js'
import { leave, send, type AdapterCase } from './stage.js'

/** What a connection that is lost costs: nothing. */
export const reconnectCases: readonly AdapterCase[] = [
  [
    'a cut is reported once at most, and what is said behind it arrives',
    async (stage) => {
      const host = await stage.connected()
      await stage.double.say(stage.dm, 'before')
      await until(() => host.texts.includes('before'), 'a message arrives')
      await stage.double.cut()
      await stage.double.say(stage.dm, 'after')
      await until(() => host.failures.length > 0 || host.texts.includes('after'), 'the cut is noticed')
      assert.ok(host.failures.length <= 1 && host.complaints.length <= 1, 'the cut was reported more than once')
      if (host.failures.length === 0) return
      await within(leave(host), 'disconnect resolves')
      const next = await stage.connected()
      await until(() => next.texts.includes('after'), 'what was said meanwhile arrives')
    },
  ],
  [
    'what is said between two connections arrives',
    async (stage) => {
      await leave(await stage.connected())
      await stage.double.say(stage.dm, 'meanwhile')
      const host = await stage.connected({ isReconnect: true })
      await until(() => host.texts.includes('meanwhile'), 'what was said meanwhile arrives')
    },
  ],
  [
    'only a first boot drops what was said before',
    async (stage) => {
      await stage.double.say(stage.dm, 'old')
      const host = await stage.connected({ isReconnect: false })
      await stage.double.say(stage.dm, 'new')
      await until(() => host.texts.includes('new'), 'what is said after a first boot arrives')
      assert.deepEqual(host.texts, ['new'])
    },
  ],
  [
    'a platform that says nothing more gets no sign of life',
    async (stage) => {
      const host = await stage.connected()
      const stallAfterMs = host.adapter.stallAfterMs
      await stage.double.say(stage.dm, 'last')
      await until(() => host.texts.includes('last'), 'a message arrives')
      await stage.double.freeze()
      await pause(50)
      const isSilent = (): boolean => stallAfterMs !== undefined && host.clock.now() - host.lastAliveAt > stallAfterMs
      await until(() => host.failures.length > 0 || isSilent(), 'the silence of the platform is noticed')
    },
  ],
  [
    'a send that is under way when the connection is cut settles as unknown',
    async (stage) => {
      const host = await stage.connected()
      await stage.double.fault('send', 'hang')
      const sending = send(host, stage.dm, { text: 'under way' })
      await pause(100)
      await stage.double.cut()
      assert.equal((await sending).status, 'unknown')
    },
  ],
]
