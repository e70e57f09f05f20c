import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { defineTool } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeClock } from '../testing/index.js'
import { createAgent } from './index.js'
import { eventsOf, linesOf, seen } from './recorded-turns.js'

type Handler = (body: { messages: readonly { role: string; content: unknown }[]; tools?: unknown }, response: ServerResponse) => void

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A provider on loopback that handles its requests in order. */
async function provider(...handlers: Handler[]) {
  const requests: Parameters<Handler>[0][] = []
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      requests.push(body)
      handlers[requests.length - 1]?.(body, response)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const model = createOpenAICompatible({ name: 'loopback', baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'sk-planted-0123456789' })('m1')
  return { model, requests }
}

async function bodyOf(request: IncomingMessage): Promise<Parameters<Handler>[0]> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return JSON.parse(text) as Parameters<Handler>[0]
}

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', created: 1, model: 'm1', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const sse =
  (...chunks: string[]): Handler =>
  (_body, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`${chunks.join('')}data: [DONE]\n\n`)
  }
const saying = (...texts: string[]) => sse(...texts.map((content) => chunk({ role: 'assistant', content })), chunk({}, 'stop'))

describe('a provider of AI SDK over the wire', () => {
  it('calls a tool and answers, and gets the results in a second request', async () => {
    const tool_calls = [{ index: 0, id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":"sky"}' } }]
    const { model, requests } = await provider(sse(chunk({ role: 'assistant', tool_calls }), chunk({}, 'tool_calls')), saying('blue ', 'sky'))
    const look = defineTool({ name: 'look', description: 'Looks.', input: z.object({ at: z.string() }), run: ({ at }) => `saw ${at}` })
    const run = createAgent({ model, instructions: 'Be brief.', tools: [look] }).stream({ messages: 'go' })
    const { outcome, messages } = await run.result
    expect(outcome).toMatchObject({ status: 'completed', text: 'blue sky', steps: 2 })
    expect(linesOf(messages)).toEqual(['user go', 'assistant look()', 'tool ok saw sky', 'assistant blue sky'])
    expect(requests[1]?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(JSON.stringify(requests[1]?.tools)).toBe(JSON.stringify(requests[0]?.tools))
  })

  // engine 9
  it('is asked again after a 429, when Retry-After says', async () => {
    const clock = new FakeClock()
    const { model, requests } = await provider((_body, response) => {
      response.writeHead(429, { 'retry-after': '3', 'content-type': 'application/json' })
      response.end('{"error":{"message":"slow down"}}')
    }, saying('done'))
    const run = createAgent({ model }).stream({ messages: 'go', clock })
    expect(await clock.slept()).toBe(3_000)
    await clock.advance(3_000)
    expect((await run.result).outcome).toMatchObject({ status: 'completed', text: 'done' })
    expect(requests).toHaveLength(2)
  })

  it('sees its connection closed by a stop in the middle of an answer', async () => {
    let closed: () => void = () => undefined
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    const { model } = await provider((_body, response) => {
      response.on('close', closed)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk({ role: 'assistant', content: 'half' }))
    })
    const run = createAgent({ model }).stream({ messages: 'go' })
    await seen(run, 'text-delta')
    run.stop()
    const { outcome, messages } = await run.result
    await isClosed
    expect(outcome.status).toBe('interrupted')
    expect(linesOf(messages)).toEqual(['user go'])
  })

  it('is asked again after a lost connection and an error inside a stream, and no key is told', async () => {
    const clock = new FakeClock()
    const { model } = await provider(
      (_body, response) => response.socket?.destroy(),
      sse(
        chunk({ role: 'assistant', content: 'half' }),
        `data: ${JSON.stringify({ error: { message: 'The server had an error, key sk-planted-0123456789' } })}\n\n`,
      ),
      saying('done'),
    )
    const run = createAgent({ model }).stream({ messages: 'go', clock })
    for (const wait of [2_000, 4_000]) {
      expect(await clock.slept()).toBe(wait)
      await clock.advance(wait)
    }
    expect((await run.result).outcome.text).toBe('done')
    const events = await eventsOf(run)
    expect(events.flatMap((event) => (event.type === 'retry-wait' ? [event.failure.reason] : []))).toEqual(['timeout', 'server-error'])
    expect(JSON.stringify(events)).not.toContain('planted')
  })
})
