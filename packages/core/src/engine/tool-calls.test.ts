import { defineTool, type ToolResult } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { randomIds } from '../kernel/index.js'
import { FakeClock, ScriptedModel } from '../testing/index.js'
import { createAgent, createMemoryMedia, type RunInput } from './index.js'
import { eventsOf, linesOf } from './recorded-turns.js'
import type { AnyTool } from './any-tool.js'

const toolCall = (name: string, input: object) => ({ toolCall: { name, input: input as never } })

/** What the model reads of one batch of calls. */
async function resultsOf(
  tools: readonly AnyTool[],
  steps: ConstructorParameters<typeof ScriptedModel>[0] & readonly unknown[],
  more: Partial<RunInput> = {},
) {
  const model = new ScriptedModel([steps[0] as never, 'done'])
  const { messages } = await createAgent({ model, tools }).stream({ messages: 'go', ...more }).result
  return messages.filter((message) => message.role === 'tool')
}

async function resultOf(tool: AnyTool, input: object = {}, more: Partial<RunInput> = {}) {
  const [result] = await resultsOf([tool], [[toolCall(tool.name, input)]], more)
  const part = result?.parts[0]
  return { status: result?.status, text: part?.type === 'text' ? part.text : '', parts: result?.parts ?? [] }
}

function returning(result: string | ToolResult | (() => never), more: Partial<AnyTool> = {}): AnyTool {
  return defineTool({
    name: 'tool',
    description: 'A tool.',
    input: z.object({}),
    run: () => (typeof result === 'function' ? result() : result),
    ...more,
  })
}

describe('the order of calls', () => {
  const log: string[] = []
  const fileTool = (name: 'read' | 'write') =>
    defineTool({
      name,
      description: `Can ${name} a file.`,
      input: z.object({ file: z.string() }),
      parallel: ({ file }) => [{ resource: file, access: name }],
      async run({ file }) {
        log.push(`${name} ${file} begins`)
        await new Promise((resolve) => setImmediate(resolve))
        log.push(`${name} ${file} ends`)
        return ''
      },
    })
  const tools = [fileTool('read'), fileTool('write')]

  // engine 3 · engine-api 12: three conflicting calls in order
  it('is kept between calls that conflict', async () => {
    log.length = 0
    await resultsOf(tools, [[toolCall('read', { file: 'a' }), toolCall('write', { file: 'a' }), toolCall('read', { file: 'a' })]])
    expect(log).toEqual(['read a begins', 'read a ends', 'write a begins', 'write a ends', 'read a begins', 'read a ends'])
  })

  // engine 3
  it('is free between calls that do not', async () => {
    log.length = 0
    await resultsOf(tools, [[toolCall('read', { file: 'a' }), toolCall('write', { file: 'b' }), toolCall('read', { file: 'a' })]])
    expect(log.slice(0, 3)).toEqual(['read a begins', 'write b begins', 'read a begins'])
  })

  it('is kept around a tool that says nothing of it', async () => {
    log.length = 0
    const alone = defineTool({ name: 'alone', description: 'Alone.', input: z.object({}), run: () => String(log.push('alone')) })
    await resultsOf([...tools, alone], [[toolCall('read', { file: 'a' }), toolCall('alone', {}), toolCall('read', { file: 'b' })]])
    expect(log).toEqual(['read a begins', 'read a ends', 'alone', 'read b begins', 'read b ends'])
  })
})

describe('a call that cannot be made', () => {
  it('tells the model that there is no such tool, and which there are', async () => {
    const [result] = await resultsOf([returning('')], [[toolCall('other', {})]])
    expect(linesOf([result!])).toEqual(['tool error {"error":"There is no tool \\"other\\". The tools are: tool."}'])
  })

  // engine-api 12: bad input
  it.each([
    ['zod', z.object({ city: z.string() })],
    ['JSON Schema', { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }],
  ])('tells what is wrong with an input, by %s', async (_kind, input) => {
    const result = await resultOf(returning('ran', { input } as never), { city: 3 })
    expect(result.status).toBe('error')
    expect(result.text).toMatch(/Invalid input for tool:.*expected string, received number.*city/)
  })

  it('hands on a checked input, with defaults', async () => {
    const tool = defineTool({ name: 'tool', description: 'T.', input: z.object({ n: z.number().default(7) }), run: ({ n }) => `${n}` })
    expect((await resultOf(tool)).text).toBe('7')
  })

  it('tells that an input is no JSON, and what it was', async () => {
    const [result] = await resultsOf([returning('')], [[{ rawToolCall: { name: 'tool', input: '{"a":' } }]])
    expect(linesOf([result!])[0]).toContain('not valid JSON: {\\"a\\":')
  })

  it('does not run on an input that the length limit cut', async () => {
    const [result] = await resultsOf([returning('ran')], [[toolCall('tool', {}), { finish: 'length' }]])
    expect(linesOf([result!])[0]).toMatch(/^tool error .*cut off at its length limit/)
  })
})

describe('what a tool gives back', () => {
  // engine 13
  it('is one JSON error, cut at 2,048 characters with a mark, when it throws', async () => {
    const { status, text } = await resultOf(
      returning(() => {
        throw new RangeError('x'.repeat(10_000))
      }),
    )
    const { error } = JSON.parse(text) as { error: string }
    expect(status).toBe('error')
    expect(error.startsWith('Tool execution failed: RangeError: xxx')).toBe(true)
    expect(error.replace(/… \[truncated\]$/, '')).toHaveLength(2048)
  })

  it.each([[42], [undefined], [{ parts: 'x' }], [{ parts: [null] }], [{ parts: [{ type: 'text' }] }], [{ parts: [{ type: 'json', value: 1n }] }]])(
    'is an error when it is no result (%o)',
    async (returned) => {
      expect(await resultOf(returning(returned as never))).toMatchObject({
        status: 'error',
        text: expect.stringContaining('neither a text nor') as string,
      })
    },
  )

  it('is not lost when the tool claims nonsense', async () => {
    expect(await resultOf(returning('ran', { parallel: () => [null] as never }))).toMatchObject({ status: 'ok', text: 'ran' })
  })

  // engine 14 · engine-api R10
  it('goes into the media store when it is too long, and the model gets a preview of whole lines and the reference', async () => {
    const long = Array.from({ length: 30_000 }, (_, index) => `line ${index}`.padEnd(9, ' ')).join('\n')
    const media = createMemoryMedia(randomIds)
    const { text } = await resultOf(returning(long), {}, { media })
    const ref = /media_[a-z2-7]{24}/.exec(text)?.[0] ?? ''
    expect(text.startsWith('<persisted-output>\n')).toBe(true)
    expect(text.length).toBeLessThan(1_800)
    expect(text).toMatch(/line 149\s*\n<\/persisted-output>$/)
    expect(new TextDecoder().decode(await media.get({ ref, mediaType: 'text/plain' }))).toBe(long)
  })

  // engine 14
  it('passes whole when the tool sets no limit', async () => {
    expect((await resultOf(returning('x'.repeat(300_000), { maxResultChars: Infinity }))).text).toHaveLength(300_000)
  })

  it('is cut, and says so, when nothing can be stored', async () => {
    const media = { put: () => Promise.reject(new Error('full')), get: () => Promise.reject(new Error('full')) }
    const { text } = await resultOf(returning('x'.repeat(200), { maxResultChars: 100 }), {}, { media })
    expect(text).toBe(`${'x'.repeat(100)}\n[Truncated: 100 more characters could not be kept.]`)
  })

  it('reaches listeners while it grows, until the tool has settled', async () => {
    let late: () => void = () => undefined
    const tool = defineTool({
      name: 'tool',
      description: 'T.',
      input: z.object({}),
      run(_input, context) {
        context.progress('half')
        late = () => context.progress('late')
        return 'whole'
      },
    })
    const run = createAgent({ model: new ScriptedModel([[toolCall('tool', {})], 'done']), tools: [tool] }).stream({ messages: 'go' })
    await run.result
    late()
    const events = await eventsOf(run)
    expect(events.filter((event) => event.type === 'tool-progress')).toMatchObject([{ update: { parts: [{ text: 'half' }] } }])
  })

  it('is an interruption when it takes longer than its time, and the turn goes on', async () => {
    const clock = new FakeClock()
    const signals: AbortSignal[] = []
    const deaf = defineTool({
      name: 'tool',
      description: 'T.',
      input: z.object({}),
      timeoutMs: 1_000,
      run: (_input, { signal }) => new Promise<string>(() => signals.push(signal)),
    })
    const result = resultOf(deaf, {}, { clock })
    expect(await clock.slept()).toBe(1_000)
    await clock.advance(1_000)
    expect(signals[0]?.aborted).toBe(true)
    expect(await clock.slept()).toBe(500)
    await clock.advance(500)
    expect(await result).toMatchObject({
      status: 'interrupted',
      text: 'Interrupted: it took too long, and did not stop when it was told to. It may have had effects.',
    })
  })

  it('is an interruption, too, when it stops as it is told after its time', async () => {
    const clock = new FakeClock()
    const polite = defineTool({
      name: 'tool',
      description: 'T.',
      input: z.object({}),
      timeoutMs: 1_000,
      run: (_input, { signal }) => clock.sleep(5_000, signal).then(() => 'late'),
    })
    const result = resultOf(polite, {}, { clock })
    await clock.slept()
    await clock.slept()
    await clock.advance(1_000)
    expect(await result).toMatchObject({ status: 'interrupted', text: 'Interrupted: it took too long. It may have had effects.' })
  })
})
