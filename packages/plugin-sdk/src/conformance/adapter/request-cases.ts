import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { HermesError } from '../../errors.js'
import { pause, until, within } from '../waiting.js'
import type { AdapterHost } from './adapter-host.js'
import type { RequestFlaw } from './platform-double.js'
import { leave, openReceipt, type AdapterCase, type Stage } from './stage.js'

const refused: readonly RequestFlaw[] = ['unsigned', 'forged', 'altered', 'stale', 'future']
/** What an adapter may have read of a body before it gives up. */
const mostReadBytes = 64 * 1024 * 1024

/** What a webhook takes. */
export const requestCases: readonly AdapterCase[] = [
  [
    'a request that is well signed is answered when it is received',
    async (stage) => {
      const open = openReceipt()
      const host = await stage.connected()
      host.answer = () => open.receipt
      const answer = take(host, await made(host, stage))
      await until(() => host.events.length > 0, 'the message arrives')
      const early = await Promise.race([answer, pause(50)])
      assert.equal(early, undefined, 'it was answered before it was received')
      open.give('stored')
      assert.ok((await answer).ok, 'it was not answered as received')
      assert.deepEqual([host.texts, host.events[0]?.chat], [['by request'], stage.dm])
    },
  ],
  [
    'what is known or unwanted is answered as received',
    async (stage) => {
      const host = await stage.connected()
      for (const receipt of ['duplicate', 'ignored'] as const) {
        host.answer = () => Promise.resolve(receipt)
        assert.ok((await take(host, await made(host, stage))).ok, `what is ${receipt} was refused`)
      }
    },
  ],
  [
    'what could not be stored is refused, and has the same id when it comes again',
    async (stage) => {
      const host = await stage.connected()
      host.answer = () => Promise.reject(new HermesError('inbox.unavailable', 'The inbox is full.', { retryAfterMs: 1_000 }))
      const request = await made(host, stage)
      const { status } = await take(host, request.clone())
      assert.ok(status >= 500, `it was answered with ${status}`)
      host.answer = () => Promise.resolve('stored')
      assert.ok((await take(host, request)).ok)
      assert.deepEqual([host.events.length, new Set(host.events.map(({ id }) => id)).size], [2, 1])
    },
  ],
  [
    'a request that comes once more is refused, or brings the same id',
    async (stage) => {
      const host = await stage.connected()
      const request = await made(host, stage)
      await take(host, request.clone())
      const again = await take(host, request)
      assert.equal(new Set(host.events.map(({ id }) => id)).size, 1)
      assert.ok(host.events.length === 2 || again.status >= 400)
    },
  ],
  ...refused.map((flaw): AdapterCase => [
    `a request that is ${flaw} is refused, and brings nothing`,
    async (stage) => {
      const host = await stage.connected()
      const { status } = await take(host, await made(host, stage, flaw))
      assert.ok(status >= 400 && status < 500, `it was answered with ${status}`)
      assert.deepEqual(host.events, [])
    },
  ]),
  [
    'a request that nobody can read is answered, and brings nothing',
    async (stage) => {
      const host = await stage.connected()
      await take(host, await made(host, stage, 'malformed'))
      assert.deepEqual(host.events, [])
    },
  ],
  [
    'a body without an end is refused',
    async (stage) => {
      const host = await stage.connected()
      const { url, method, headers } = await made(host, stage)
      headers.delete('content-length')
      let readBytes = 0
      const body = new ReadableStream<Uint8Array>({
        async pull(controller) {
          readBytes += 65_536
          if (readBytes > mostReadBytes) controller.error(new Error('nobody reads that much'))
          else controller.enqueue(new Uint8Array(65_536).fill(32))
        },
      })
      const init = { method, headers, body, duplex: 'half' as const }
      const { status } = await take(host, new Request(url, init))
      assert.ok(status >= 400 && readBytes <= mostReadBytes, `it was answered with ${status} after ${readBytes} bytes`)
      assert.deepEqual(host.events, [])
    },
  ],
  [
    'outside of a connection nothing is taken, and the platform is to try again',
    async (stage) => {
      const host = stage.host()
      const before = await take(host, await made(host, stage))
      await within(host.connect(), 'connect resolves')
      await within(leave(host), 'disconnect resolves')
      const after = await take(host, await made(host, stage))
      assert.ok(before.status >= 500 && after.status >= 500, `it was answered with ${before.status} and ${after.status}`)
      assert.deepEqual(host.events, [])
    },
  ],
  [
    'no secret stands in what a refusal says',
    async (stage) => {
      const host = await stage.connected()
      const answer = await take(host, await made(host, stage, 'unsigned'))
      const said = inspect([[...answer.headers], await answer.text(), host.log, host.complaints, host.failures], { depth: 12, maxStringLength: null })
      for (const secret of stage.secrets) assert.ok(!said.includes(secret), 'a secret was said')
    },
  ],
]

async function made(host: AdapterHost, stage: Stage, flaw?: RequestFlaw): Promise<Request> {
  return stage.able('request').request(stage.dm, 'by request', { now: host.clock.now(), flaw })
}

async function take({ adapter }: AdapterHost, request: Request): Promise<Response> {
  if (!adapter.handleRequest) assert.fail('the adapter has no `handleRequest`: skip this group with a reason')
  return within(adapter.handleRequest(request), 'handleRequest resolves')
}
