import assert from 'node:assert/strict'
import type { RejectReason } from '../../messages.js'
import { textLength } from '../../text-length.js'
import type { FaultKind } from './platform-double.js'
import { pause, until } from '../waiting.js'
import { send, type AdapterCase } from './stage.js'

/** Nothing tells whether people see it. */
const uncertain: readonly FaultKind[] = ['drop-after', 'error-after', 'garbage']
const refusals: readonly (readonly [FaultKind, RejectReason])[] = [
  ['refuse-connection', 'unavailable'],
  ['too-long', 'too-long'],
  ['bad-format', 'bad-format'],
  ['message-gone', 'message-gone'],
  ['thread-gone', 'thread-gone'],
  ['chat-gone', 'chat-gone'],
  ['forbidden', 'forbidden'],
  ['bad-token', 'credentials'],
]

/** The ways in which platforms call all who are in a chat. */
const everybody = ['@everyone', '@here', '@channel', '@all', '@room', '<!channel>', '<!here>', '<!everyone>']

/** One send is one message and one outcome. */
export const sendCases: readonly AdapterCase[] = [
  [
    'what people see is the text, and the outcome names it',
    async (stage) => {
      const host = await stage.connected()
      const ids: string[] = []
      const texts = ['hello', 'ünïcödé 漢字 🏳️‍🌈', '**not bold** <b>&amp;', 'two\nlines']
      for (const text of texts) {
        const outcome = await send(host, stage.dm, { text })
        assert.ok(outcome.status === 'sent', JSON.stringify(outcome))
        ids.push(...outcome.ids)
      }
      assert.deepEqual(
        stage.double.shown(stage.dm).map(({ text }) => text),
        texts,
      )
      if (ids.length > 0)
        assert.deepEqual(
          stage.double.shown(stage.dm).map(({ id }) => id),
          ids,
        )
    },
  ],
  [
    'a text as long as the limit is shown whole, and one more is too long',
    async (stage) => {
      const host = await stage.connected()
      const { limit, unit } = host.adapter.capabilities(stage.dm).text
      const length = Math.min(limit, 100_000)
      for (const text of ['x'.repeat(length), '😀'.repeat(Math.floor(length / textLength('😀', unit)))]) {
        assert.equal((await send(host, stage.dm, { text })).status, 'sent')
        assert.equal(stage.double.shown(stage.dm).at(-1)?.text, text)
      }
      if (limit > length) return
      const outcome = await send(host, stage.dm, { text: 'x'.repeat(limit + 1) })
      assert.deepEqual([outcome.status, outcome.status === 'rejected' && outcome.reason], ['rejected', 'too-long'])
      assert.equal(stage.double.shown(stage.dm).length, 2)
    },
  ],
  [
    'a text that names everybody calls nobody',
    async (stage) => {
      const host = await stage.connected()
      for (const format of ['plain', 'markdown'] as const) await send(host, stage.groupOrDm, { text: `Hello ${everybody.join(' ')}`, format })
      const shown = stage.double.shown(stage.groupOrDm)
      assert.equal(shown.length, 2)
      for (const { pings } of shown)
        assert.deepEqual(pings ?? assert.fail('The double tells no `pings`: let it, or skip this case with a reason.'), [])
    },
  ],
  [
    'a link shows no preview',
    async (stage) => {
      const host = await stage.connected()
      await send(host, stage.dm, { text: 'See https://example.com/page' })
      const [shown] = stage.double.shown(stage.dm)
      assert.deepEqual(shown?.previews ?? assert.fail('The double tells no `previews`: let it, or skip this case with a reason.'), [])
    },
  ],
  [
    'an adapter that is not connected sends nothing and says so',
    async (stage) => {
      const outcome = await send(stage.host(), stage.dm, {})
      assert.deepEqual([outcome.status, outcome.status === 'rejected' && outcome.reason], ['rejected', 'unavailable'])
    },
  ],
  [
    'a platform that asks to wait is rate-limited, with its date',
    async (stage) => {
      const host = await stage.connected()
      await stage.double.fault('send', 'rate-limit', { retryAfterMs: 7_000 })
      const outcome = await send(host, stage.dm, {})
      assert.ok(outcome.status === 'rejected' && outcome.reason === 'rate-limited', JSON.stringify(outcome))
      assert.equal(outcome.retryAfterMs, 7_000)
      assert.deepEqual(stage.double.shown(stage.dm), [])
    },
  ],
  ...refusals.map(([kind, reason]): AdapterCase => [
    `${kind} ends as rejected, ${reason}, and shows nothing`,
    async (stage) => {
      const host = await stage.connected()
      await stage.double.fault('send', kind)
      await pause(20)
      const outcome = await send(host, stage.dm, {})
      assert.deepEqual([outcome.status, outcome.status === 'rejected' && outcome.reason], ['rejected', reason])
      assert.deepEqual(stage.double.shown(stage.dm), [])
    },
  ]),
  ...uncertain.map((kind): AdapterCase => [
    `${kind} ends as unknown, and is not sent again`,
    async (stage) => {
      const host = await stage.connected()
      await stage.double.fault('send', kind)
      assert.equal((await send(host, stage.dm, {})).status, 'unknown')
      await until(() => stage.double.shown(stage.dm).length > 0, 'the message is shown')
      await pause(50)
      assert.equal(stage.double.shown(stage.dm).length, 1)
    },
  ]),
  [
    'a send that hangs and is stopped ends as unknown',
    async (stage) => {
      const host = await stage.connected()
      await stage.double.fault('send', 'hang')
      const stop = new AbortController()
      const sending = send(host, stage.dm, { signal: stop.signal })
      await pause(100)
      stop.abort()
      assert.equal((await sending).status, 'unknown')
    },
  ],
]
