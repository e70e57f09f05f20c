import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { HermesError } from '../../errors.js'
import { pause, reasonOf, until, within } from '../waiting.js'
import { leave, send, type AdapterCase } from './stage.js'

/** How a connection begins, and how it ends. */
export const connectCases: readonly AdapterCase[] = [
  [
    'plugins get the native object once a connection, before anything is received',
    async (stage) => {
      await stage.double.say(stage.dm, 'waiting')
      const host = stage.host()
      host.wire = () => pause(50)
      await within(host.connect(), 'connect resolves')
      await until(() => host.texts.includes('waiting'), 'a message that waited arrives')
      assert.deepEqual(host.wirings, [0])
    },
  ],
  ...(['throws', 'hangs'] as const).map((defect): AdapterCase => [
    `a handler that ${defect} on the native object takes no message away`,
    async (stage) => {
      const double = stage.able('spoil')
      const host = stage.host()
      host.wire = (native) => double.spoil(native, defect)
      await within(host.connect(), 'connect resolves')
      await stage.double.say(stage.dm, 'one')
      await stage.double.say(stage.dm, 'two')
      await until(() => host.texts.includes('two'), 'messages arrive behind the handler')
      assert.deepEqual(host.texts, ['one', 'two'])
    },
  ]),
  [
    'a wrong token is a failure of the credentials, and trying again is no use',
    async (stage) => {
      await stage.double.fault('connect', 'bad-token')
      const error = await reasonOf(stage.host().connect(), 'connect')
      assert.ok(HermesError.is(error, 'adapter.failed'), `connect threw ${String(error)} and not adapterError()`)
      assert.deepEqual([error.detail.code, error.detail.isRetryable], ['credentials', false])
    },
  ],
  [
    'a platform that nobody reaches is a failure that may be tried again',
    async (stage) => {
      await stage.double.fault('connect', 'refuse-connection')
      const error = await reasonOf(stage.host().connect(), 'connect')
      assert.ok(!HermesError.is(error, 'adapter.failed') || error.detail.isRetryable, 'the failure is not retryable')
    },
  ],
  [
    'no secret stands in an error or a log',
    async (stage) => {
      const said: unknown[] = []
      for (const kind of ['bad-token', 'garbage', 'drop-before', 'refuse-connection'] as const) {
        await stage.double.fault('connect', kind)
        const host = stage.host()
        said.push(await Promise.allSettled([host.connect()]), host.log, host.failures, host.complaints)
      }
      const text = inspect(said, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null })
      for (const secret of stage.secrets) assert.ok(!text.includes(secret), 'a secret was said')
    },
  ],
  [
    'a connect that is told to end does, in the middle',
    async (stage) => {
      await stage.double.fault('connect', 'hang')
      const host = stage.host()
      const ended = reasonOf(host.connect(), 'a connect that was told to end')
      await pause(50)
      host.end.abort()
      await ended
    },
  ],
  [
    'disconnect is fine before, in the middle of and after a connect, and twice',
    async (stage) => {
      const idle = stage.host()
      await within(leave(idle), 'disconnect before a connect resolves')
      await stage.double.fault('connect', 'hang')
      const half = stage.host()
      const connecting = Promise.allSettled([half.connect()])
      await pause(50)
      await within(leave(half), 'disconnect in the middle of a connect resolves')
      await within(connecting, 'the connect settles')
      const host = await stage.connected()
      await within(Promise.all([leave(host), leave(host)]), 'two ends resolve')
      await within(leave(host), 'a third end resolves')
    },
  ],
  [
    'after its end nothing is received, and nothing is sent',
    async (stage) => {
      const host = await stage.connected()
      await within(leave(host), 'disconnect resolves')
      await stage.double.say(stage.dm, 'too late')
      const outcome = await send(host, stage.dm, { text: 'too late' })
      await pause(50)
      assert.deepEqual([outcome.status, outcome.status === 'rejected' && outcome.reason], ['rejected', 'unavailable'])
      assert.deepEqual([host.texts, stage.double.shown(stage.dm)], [[], []])
    },
  ],
  [
    'twenty connections that ended leave no socket, timer or listener',
    async (stage) => {
      await leave(await stage.connected())
      await pause(20)
      const before = process.getActiveResourcesInfo().length
      for (let turn = 0; turn < 20; turn++) await leave(await stage.connected())
      await until(() => process.getActiveResourcesInfo().length < before + 10, 'the resources of ended connections are given back')
    },
  ],
]
