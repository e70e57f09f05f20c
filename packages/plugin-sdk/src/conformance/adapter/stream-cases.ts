import assert from 'node:assert/strict'
import type { MessageStream } from '../../adapter.js'
import type { Call, SendOutcome } from '../../messages.js'
import { within } from '../waiting.js'
import type { AdapterCase, Stage } from './stage.js'

/** A message that grows. */
export const streamCases: readonly AdapterCase[] = [
  [
    'grows to one message with the whole text',
    async (stage) => {
      const stream = await opened(stage)
      for (const text of ['one', 'one two']) await update(stream, text)
      assert.equal((await finish(stream, 'one two three')).status, 'sent')
      assert.deepEqual(textsOf(stage), ['one two three'])
    },
  ],
  [
    'that is finished twice is shown once',
    async (stage) => {
      const stream = await opened(stage)
      await update(stream, 'one')
      for (const _ of [1, 2]) assert.equal((await finish(stream, 'one two')).status, 'sent')
      assert.deepEqual(textsOf(stage), ['one two'])
    },
  ],
  [
    'that is finished at once is a message',
    async (stage) => {
      assert.equal((await finish(await opened(stage), 'at once')).status, 'sent')
      assert.deepEqual(textsOf(stage), ['at once'])
    },
  ],
  [
    'that is abandoned leaves what was shown, and the next message stands by itself',
    async (stage) => {
      const host = await stage.connected()
      const open = (): MessageStream => host.adapter.stream?.(stage.dm, {}) ?? assert.fail(noStream)
      const stream = open()
      await update(stream, 'half of')
      await within(stream.abandon(), 'abandon resolves')
      await finish(open(), 'next')
      assert.deepEqual(textsOf(stage), ['half of', 'next'])
    },
  ],
]

const noStream = 'the adapter has no `stream`: skip this group with a reason'

async function opened(stage: Stage): Promise<MessageStream> {
  const { adapter } = await stage.connected()
  return adapter.stream?.(stage.dm, {}) ?? assert.fail(noStream)
}

function call(): Call {
  return { key: 'k'.repeat(24), signal: new AbortController().signal }
}

function update(stream: MessageStream, text: string): Promise<SendOutcome> {
  return within(stream.update({ text }, call()), 'update resolves')
}

function finish(stream: MessageStream, text: string): Promise<SendOutcome> {
  return within(stream.finish({ text, format: 'plain' }, call()), 'finish resolves')
}

function textsOf(stage: Stage): readonly string[] {
  return stage.double.shown(stage.dm).map(({ text }) => text)
}
