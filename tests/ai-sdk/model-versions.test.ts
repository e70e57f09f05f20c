import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createAgent, type AgentOptions, type RunInput } from '@hermes/core'
import { FakeClock } from '@hermes/core/testing'
import { defineTool, type AgentEvent } from '@hermes/plugin-sdk'
import { createOpenAICompatible as createOpenAICompatibleV2 } from 'openai-compatible-v2'
import { createOpenAICompatible as createOpenAICompatibleV4 } from 'openai-compatible-v4'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startOpenAiEmulator, type OpenAiEmulator } from '../emulators/index.js'

let wire: OpenAiEmulator

beforeEach(async () => {
  wire = await startOpenAiEmulator()
})

afterEach(() => wire.stop())

const settings = () => ({ name: 'loopback', baseURL: wire.url, apiKey: wire.apiKey, includeUsage: true })
const providers: readonly (readonly [string, () => AgentOptions['model']])[] = [
  ['v2, of AI SDK 5', () => createOpenAICompatibleV2(settings())('small')],
  ['v3, of AI SDK 6', () => createOpenAICompatible(settings())('small')],
  ['v4, of AI SDK 7', () => createOpenAICompatibleV4(settings())('small')],
]
const look = defineTool({ name: 'look', description: 'Looks.', input: z.object({ at: z.string() }), run: ({ at }) => `saw ${at}` })

async function eventsOf(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

describe.each(providers)('a provider of specification %s', (_what, provider) => {
  const stream = (input: RunInput, options: Partial<AgentOptions> = {}) => createAgent({ model: provider(), ...options }).stream(input)

  it('calls a tool and answers, streamed, and tells what it used', async () => {
    wire.script({ text: 'let me ', toolCalls: [{ name: 'look', input: { at: 'sky' } }] }, { text: ['blue ', 'sky'] })
    const run = stream({ messages: 'what colour?' }, { tools: [look], instructions: 'Be brief.' })
    const { outcome, messages } = await run.result
    expect(outcome).toMatchObject({ status: 'completed', text: 'blue sky', steps: 2, usage: { input: 20, output: 10 } })
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(messages[1]).toMatchObject({ finish: 'tool-calls', model: { provider: 'loopback.chat', model: 'small' } })
    expect(messages[3]).toMatchObject({ finish: 'stop' })
    expect((await eventsOf(run.events)).flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).toBe('let me blue sky')
    expect(wire.requests[1]?.messages).toMatchObject([
      { role: 'system' },
      { role: 'user' },
      { role: 'assistant' },
      { role: 'tool', content: 'saw sky' },
    ])
  })

  it('is asked again after a 429 and a lost connection', async () => {
    const clock = new FakeClock()
    wire.script({ errorStatus: 429, retryAfterSeconds: 3 }, { cutAfter: 'half' }, { text: 'whole' })
    const run = stream({ messages: 'go', clock })
    for (const wait of [3_000, 4_000]) {
      expect(await clock.slept()).toBeGreaterThanOrEqual(wait)
      await clock.advance(10_000)
    }
    expect((await run.result).outcome).toMatchObject({ status: 'completed', text: 'whole' })
    const failures = (await eventsOf(run.events)).flatMap((event) => (event.type === 'retry-wait' ? [event.failure.reason] : []))
    expect(failures).toEqual(['rate-limit', 'timeout'])
  })

  it('fails with the reason that its words give', async () => {
    wire.script({ errorStatus: 400, message: "This model's maximum context length is 8192 tokens." })
    const { outcome } = await stream({ messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'failed', failure: { reason: 'context-overflow', status: 400 } })
  })

  it('is shown an image of a person, and told of it in words when it has no eyes', async () => {
    wire.script({ errorStatus: 400, message: 'unknown variant `image_url`, expected `text`' }, { text: 'a cat, you say' })
    const image = { ref: 'media_1', mediaType: 'image/png', name: 'cat.png' }
    const media = { put: () => Promise.resolve(image), get: () => Promise.resolve(new Uint8Array([1, 2, 3])) }
    const question = { id: 'm1', turn: 't1', at: 1, role: 'user', origin: 'person', parts: [{ type: 'media', media: image }] }
    const { outcome } = await stream({ messages: [question as never], media }).result
    expect(outcome.text).toBe('a cat, you say')
    const contents = wire.requests.map((request) => JSON.stringify(request.messages[0]?.['content']))
    expect(contents[0]).toContain('data:image/png;base64,AQID')
    expect(contents[1]).not.toContain('AQID')
    expect(contents[1]).toContain('cat.png')
  })
})
