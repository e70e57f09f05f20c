import type { Message } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { requestSize, thinksSilently } from './request-size.js'

const message = (chars: number): Message => ({
  id: 'm' as never,
  turn: 't' as never,
  at: 1,
  role: 'user',
  origin: 'person',
  parts: [{ type: 'text', text: 'x'.repeat(chars) }],
})
const tokens = (count: number) => [message(count * 4)]
const sizeOf = (messages: readonly Message[], window: number) => requestSize({ system: '', messages, tools: [] }, window)

// engine 2.7: what counts as a large session
describe('requestSize', () => {
  it.each([
    ['small', 40_000, 100_000],
    ['halfway', 40_010, 100_000],
    ['halfway', 60_000, 100_000],
    ['large', 60_010, 100_000],
    ['small', 80_000, 256_000],
    ['halfway', 80_010, 256_000],
    ['large', 120_010, 256_000],
    ['small', 120_010, 1_000_000],
  ])('is %s with %i tokens in a window of %i', (size, count, window) => {
    expect(sizeOf(tokens(count), window)).toBe(size)
  })

  it.each([
    ['small', 80, 256_000],
    ['halfway', 81, 256_000],
    ['large', 201, 256_000],
    ['small', 201, 256_001],
  ])('is %s with %i messages in a window of %i', (size, count, window) => {
    expect(
      sizeOf(
        Array.from({ length: count }, () => message(1)),
        window,
      ),
    ).toBe(size)
  })

  it('counts the system prompt, the tools, and the inputs of calls', () => {
    const words = 'x'.repeat(30_000)
    const tools = [{ name: 'a', description: words, inputSchema: {} }]
    const call = { type: 'tool-call', callId: 'c' as never, name: 'a', input: { words } } as const
    const answer: Message = { ...message(0), role: 'assistant', model: { provider: 'p', model: 'm' }, finish: 'tool-calls', parts: [call] }
    const request = { system: words, messages: [message(30_000), answer], tools }
    expect(requestSize(request, 50_000)).toBe('large')
    expect(requestSize({ ...request, tools: [] }, 50_000)).toBe('halfway')
    expect(requestSize({ ...request, messages: [answer], tools: [] }, 50_000)).toBe('small')
  })
})

describe('thinksSilently', () => {
  it.each(['o1', 'o3-mini', 'openai/o4-mini', 'gpt-5.6', 'deepseek-reasoner', 'deepseek/deepseek-r1', 'qwq-32b', 'kimi-k2-thinking', 'grok-4-fast'])(
    'knows %s',
    (model) => expect(thinksSilently(model)).toBe(true),
  )

  it.each(['gpt-4o', 'gpt-4.1-mini', 'claude-sonnet-4-5', 'llama-3.3-70b', 'proto1', 'deepseek-chat'])('does not count %s', (model) => {
    expect(thinksSilently(model)).toBe(false)
  })
})
