import { defineTool } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeClock } from '../testing/index.js'
import { createAgent, type Model } from './index.js'
import { linesOf, seen } from './recorded-turns.js'

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const text = (delta: string) => [
  { type: 'text-start', id: '1' },
  { type: 'text-delta', id: '1', delta },
  { type: 'text-end', id: '1' },
]
const finish = (unified: string) => ({ type: 'finish', finishReason: { unified, raw: undefined }, usage })

/** A model of specification v4 that streams what it is given, one list a call. */
function modelOf(...calls: object[][]): Model & { readonly prompts: object[] } {
  const answers = [...calls]
  const prompts: object[] = []
  return {
    specificationVersion: 'v4',
    provider: 'anthropic.messages',
    modelId: 'm',
    prompts,
    doStream: ({ prompt }: { prompt: object }) => {
      prompts.push(prompt)
      return Promise.resolve({ stream: streamOf(answers.shift() ?? []) })
    },
  }
}

function streamOf(parts: readonly object[]): ReadableStream<object> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

describe('a model of specification v4', () => {
  // engine-api R1
  it('whose stream broke off is asked again, and nothing of the broken answer is kept', async () => {
    const clock = new FakeClock()
    const model = modelOf([...text('half'), finish('interrupted')], [...text('whole'), finish('stop')])
    const run = createAgent({ model }).stream({ messages: 'go', clock })
    await clock.slept()
    await clock.advance(10_000)
    expect(linesOf((await run.result).messages)).toEqual(['user go', 'assistant whole'])
    expect(await seen(run, 'retry-wait')).toMatchObject({ failure: { reason: 'timeout' } })
  })

  it('may stream parts that nobody knows', async () => {
    const parts = [
      { type: 'ping' },
      { type: 'custom', kind: 'p.x' },
      { type: 'reasoning-file', mediaType: 'image/png' },
      ...text('whole'),
      finish('stop'),
    ]
    const { outcome } = await createAgent({ model: modelOf(parts) }).stream({ messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'completed', text: 'whole' })
  })

  it('is told of its images how their data come, in messages and in results', async () => {
    const image = { ref: 'media_1', mediaType: 'image/png' }
    const media = { put: () => Promise.resolve(image), get: () => Promise.resolve(new Uint8Array([1, 2, 3])) }
    const shot = defineTool({ name: 'shot', description: 'S.', input: z.object({}), run: () => ({ parts: [{ type: 'media', media: image }] }) })
    const model = modelOf(
      [{ type: 'tool-call', toolCallId: 'c', toolName: 'shot', input: '{}' }, finish('tool-calls')],
      [...text('a cat'), finish('stop')],
    )
    const question = { id: 'm', turn: 't', at: 1, role: 'user', origin: 'person', parts: [{ type: 'media', media: image }] }
    await createAgent({ model, tools: [shot] }).stream({ messages: [question as never], media }).result
    const file = { type: 'file', mediaType: 'image/png' }
    expect(model.prompts[1]).toMatchObject([
      { role: 'user', content: [{ type: 'text' }, { ...file, data: { type: 'data', data: new Uint8Array([1, 2, 3]) } }] },
      { role: 'assistant' },
      { role: 'tool', content: [{ output: { type: 'content', value: [{ type: 'text' }, { ...file, data: { type: 'data', data: 'AQID' } }] } }] },
    ])
  })
})
