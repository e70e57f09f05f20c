import { createAnthropic } from '@ai-sdk/anthropic'
import { createAgent, type Agent, type AgentOptions, type RunInput } from '@hermes/core'
import { FakeClock } from '@hermes/core/testing'
import { defineTool, type AgentEvent } from '@hermes/plugin-sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startAnthropicEmulator, type AnthropicEmulator } from '../emulators/index.js'

let wire: AnthropicEmulator

beforeEach(async () => {
  wire = await startAnthropicEmulator()
})

afterEach(() => wire.stop())

function agent(options: Partial<AgentOptions> = {}): Agent {
  return createAgent({ model: createAnthropic({ baseURL: wire.url, apiKey: wire.apiKey })('claude-sonnet-4-5'), ...options })
}

async function eventsOf(events: AsyncIterable<AgentEvent>): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const image = { ref: 'media_1', mediaType: 'image/png' }
const media: RunInput['media'] = { put: () => Promise.resolve(image), get: () => Promise.resolve(new Uint8Array([1, 2, 3])) }
const shot = defineTool({
  name: 'shot',
  description: 'Takes a picture.',
  input: z.object({}),
  run: () => ({ parts: [{ type: 'media', media: image }] }),
})
const thinking = { text: 'a picture would help', signature: 'sig-1' }
const kindsOf = (request: number) => wire.requests[request]!.messages.map(({ content }) => content.map(({ type }) => type))

describe('a model that signs its thoughts', () => {
  it('gets them back as they were, and the pictures of tools, and is counted with its cache', async () => {
    wire.script({ thinking, text: 'let me see', toolCall: { id: 'toolu_1', name: 'shot', input: {} } }, { text: 'a cat' })
    const { outcome } = await agent({ tools: [shot] }).stream({ messages: 'what is it?', media }).result
    expect(outcome).toMatchObject({ text: 'a cat', usage: { input: 20, output: 10, cacheRead: 8, cacheWrite: 4 } })
    expect(kindsOf(1)).toEqual([['text'], ['thinking', 'text', 'tool_use'], ['tool_result']])
    expect(wire.requests[1]!.messages[1]!.content[0]).toEqual({ type: 'thinking', thinking: thinking.text, signature: 'sig-1' })
    expect(wire.requests[1]!.messages[2]!.content[0]).toMatchObject({
      content: [{ type: 'text' }, { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AQID' } }],
    })
  })

  // engine 2.7
  it('that refuses a signature is asked again without the thoughts, at once', async () => {
    wire.script({ thinking, text: 'one' })
    const first = await agent().stream({ messages: 'first' }).result
    const refusal = { status: 400, type: 'invalid_request_error', message: 'messages.1.content.0: Invalid `signature` in `thinking` block' }
    wire.script({ refusal }, { text: 'two' })
    const run = agent().stream({ messages: [...first.messages, 'second'], clock: new FakeClock() })
    expect((await run.result).outcome).toMatchObject({ text: 'two', steps: 1 })
    expect([kindsOf(1), kindsOf(2)]).toEqual([
      [['text'], ['thinking', 'text'], ['text']],
      [['text'], ['text'], ['text']],
    ])
  })

  it.each([
    ['overloaded', 'overloaded_error', 'Overloaded'],
    ['rate-limit', 'rate_limit_error', 'Number of requests has exceeded your rate limit'],
    ['server-error', 'api_error', 'Internal server error'],
  ])('that is %s inside a stream which began well is asked again', async (reason, type, message) => {
    const clock = new FakeClock()
    wire.script({ streamError: { type, message } }, { text: 'done' })
    const run = agent().stream({ messages: 'go', clock })
    await clock.slept()
    await clock.advance(10_000)
    expect((await run.result).outcome.text).toBe('done')
    const failures = (await eventsOf(run.events)).flatMap((event) => (event.type === 'retry-wait' ? [event.failure.reason] : []))
    expect(failures).toEqual([reason])
  })

  it.each([
    ['billing', 400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'],
    ['context-overflow', 400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'],
    ['payload-too-large', 413, 'request_too_large', 'Request exceeds the maximum size'],
    ['model-not-found', 404, 'not_found_error', 'model: claude-sonnet-4-5'],
    ['auth', 403, 'permission_error', 'Your API key does not have permission to use the specified resource.'],
  ])('fails the turn with %s where its provider says so', async (reason, status, type, message) => {
    wire.script({ refusal: { status, type, message } })
    expect((await agent().stream({ messages: 'go' }).result).outcome).toMatchObject({ status: 'failed', failure: { reason, status } })
  })
})
