import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { Attachment } from '../../events.js'
import type { AdapterHost } from './adapter-host.js'
import { reasonOf, until, within } from '../waiting.js'
import { leave, type AdapterCase, type Stage } from './stage.js'

const bytes = new TextEncoder().encode('the bytes of a file\n'.repeat(5_000))

/** The files that people send. */
export const attachmentCases: readonly AdapterCase[] = [
  [
    'a file is fetched whole, also by a later connection that knows it as plain data only',
    async (stage) => {
      const first = await stage.connected()
      const attachment = await fileFor(first, stage)
      assert.deepEqual(await fetched(first, attachment), bytes)
      await within(leave(first), 'disconnect resolves')
      const stored = JSON.parse(JSON.stringify(attachment)) as Attachment
      assert.deepEqual(await fetched(await stage.connected(), stored), bytes)
    },
  ],
  [
    'the parts of an album arrive by themselves, with the key that joins them',
    async (stage) => {
      const host = await stage.connected()
      for (const album of ['a', 'a', 'b']) await stage.double.say(stage.dm, '', { file: bytes, album })
      await until(() => host.events.length >= 3, 'all parts arrive')
      const joins = host.events.map((event) => (event.kind === 'message' ? event.join : undefined))
      const [first, second, other] = joins
      assert.ok(first && first.quietMs > 0, 'the first part has no key')
      assert.equal(second?.key, first.key)
      assert.notEqual(other?.key, first.key)
    },
  ],
  [
    'what is kept of a file is at most four kilobytes',
    async (stage) => {
      const { ref } = await fileFor(await stage.connected(), stage)
      assert.ok(JSON.stringify(ref).length <= 4_096, 'the ref is longer')
    },
  ],
  [
    'a file that cannot be fetched is a reason without secrets',
    async (stage) => {
      const host = await stage.connected()
      const attachment = await fileFor(host, stage)
      await stage.double.fault('connect', 'refuse-connection')
      const reason = inspect(await reasonOf(fetched(host, attachment), 'the fetching of a file'), { depth: 12, showHidden: true })
      for (const secret of stage.secrets) assert.ok(!reason.includes(secret), 'a secret was said')
    },
  ],
  [
    'a file that nobody wants any more is not fetched',
    async (stage) => {
      const host = await stage.connected()
      const attachment = await fileFor(host, stage)
      await reasonOf(fetched(host, attachment, AbortSignal.abort()), 'the fetching of a file')
    },
  ],
]

/** A file that came with a message. */
async function fileFor(host: AdapterHost, stage: Stage): Promise<Attachment> {
  await stage.double.say(stage.dm, '', { file: bytes })
  const attachments = (): readonly Attachment[] => host.events.flatMap((event) => (event.kind === 'message' ? (event.attachments ?? []) : []))
  await until(() => attachments().length > 0, 'a file arrives')
  return attachments()[0] ?? assert.fail()
}

async function fetched({ adapter }: AdapterHost, attachment: Attachment, signal = new AbortController().signal): Promise<Uint8Array> {
  if (!adapter.openAttachment) assert.fail('the adapter has no `openAttachment`: skip this group with a reason')
  const { body } = await within(adapter.openAttachment(attachment, signal), 'openAttachment resolves')
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return new Uint8Array(Buffer.concat(chunks))
}
