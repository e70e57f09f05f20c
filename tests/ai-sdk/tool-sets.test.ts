import { createMCPClient } from '@ai-sdk/mcp'
import { createAgent, runTurn, type AgentOptions, type RunInput } from '@hermes/core'
import { ScriptedModel, type Script } from '@hermes/core/testing'
import type { AgentEvent, JsonValue } from '@hermes/plugin-sdk'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { dynamicTool, jsonSchema, tool } from 'ai'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

type Tools = NonNullable<AgentOptions['tools']>

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const calling = (name: string, input: JsonValue): Script => [[{ toolCall: { name, input, id: 'c1' } }], 'done']

/** What comes of one call: the result that the model reads, and the events of the turn. */
async function call(tools: Tools, [name, input]: readonly [string, JsonValue], more: Partial<RunInput> = {}) {
  const model = new ScriptedModel(calling(name, input))
  const run = createAgent({ model, tools }).stream({ messages: 'go', ...more })
  const { messages } = await run.result
  const events: AgentEvent[] = []
  for await (const event of run.events) events.push(event)
  const result = messages.find((message) => message.role === 'tool')
  return { model, events, status: result?.status, parts: result?.parts ?? [] }
}

const text = (words: string) => [{ type: 'text', text: words }]

describe('a tool set of AI SDK', () => {
  it('runs with the signal and the id of the call, and gives texts and JSON', async () => {
    const seen: object[] = []
    const weather = tool({
      description: 'Tells the weather.',
      inputSchema: z.object({ city: z.string(), unit: z.string().default('C') }),
      execute: ({ city, unit }, { toolCallId, abortSignal }) => {
        seen.push({ toolCallId, signal: abortSignal instanceof AbortSignal })
        return { city, unit, degrees: 3 }
      },
    })
    const shout = tool({ description: 'Shouts.', inputSchema: z.object({}), execute: () => 'HEY' })
    const { model, status, parts } = await call([{ weather, shout }], ['weather', { city: 'Oslo' }])
    expect({ status, parts }).toEqual({ status: 'ok', parts: [{ type: 'json', value: { city: 'Oslo', unit: 'C', degrees: 3 } }] })
    expect(seen).toEqual([{ toolCallId: 'c1', signal: true }])
    expect(model.calls[0]?.tools).toMatchObject([
      { name: 'shout', description: 'Shouts.' },
      { name: 'weather', inputSchema: { properties: { city: { type: 'string' } }, required: ['city'] } },
    ])
    expect((await call([{ weather, shout }], ['shout', {}])).parts).toEqual(text('HEY'))
  })

  it.each([
    ['zod', z.object({ city: z.string() })],
    ['jsonSchema()', jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })],
    ['a lazy schema', () => jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })],
  ])('checks an input by %s', async (_kind, inputSchema) => {
    const weather = tool({ description: 'W.', inputSchema, execute: ({ city }) => city })
    expect((await call([{ weather }], ['weather', { city: 'Oslo' }])).parts).toEqual(text('Oslo'))
    const wrong = await call([{ weather }], ['weather', { city: 3 }])
    expect(wrong.status).toBe('error')
    expect(JSON.stringify(wrong.parts)).toMatch(/Invalid input for weather:.*expected string/)
  })

  it('checks an input by the validation of jsonSchema() and of a standard schema, and takes what they make of it', async () => {
    const object = { type: 'object', properties: { n: { type: 'string' } } } as const
    const number = (value: unknown) => Number((value as { n: string }).n)
    const bySdk = tool({
      description: 'S.',
      inputSchema: jsonSchema<{ n: number }>(object, {
        validate: (value) =>
          Number.isNaN(number(value)) ? { success: false, error: new Error('no number') } : { success: true, value: { n: number(value) } },
      }),
      execute: ({ n }) => `${typeof n}`,
    })
    const standard = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) => (Number.isNaN(number(value)) ? { issues: [{ message: 'no number' }] } : { value: { n: number(value) } }),
        jsonSchema: { input: () => object, output: () => object },
      },
    } as const
    const byStandard = { description: 'S.', inputSchema: standard, execute: ({ n }: { n: unknown }) => typeof n }
    for (const counted of [bySdk, byStandard]) {
      expect((await call([{ counted }], ['counted', { n: '7' }])).parts).toEqual(text('number'))
      expect(JSON.stringify((await call([{ counted }], ['counted', { n: 'x' }])).parts)).toContain('Invalid input for counted: no number')
    }
  })

  it('shows what a generator yields as progress, and gives the last of it', async () => {
    const search = tool({
      description: 'Searches.',
      inputSchema: z.object({}),
      async *execute() {
        yield 'looking'
        yield { hits: 2 }
      },
    })
    const { parts, events } = await call([{ search }], ['search', {}])
    expect(parts).toEqual([{ type: 'json', value: { hits: 2 } }])
    const updates = events.flatMap((event) => (event.type === 'tool-progress' ? [event.update.parts[0]] : []))
    expect(updates).toContainEqual({ type: 'text', text: '{"hits":2}' })
  })

  it.each([
    ['a text', { type: 'text', value: 'short' }, { status: 'ok', parts: text('short') }],
    ['an error', { type: 'error-text', value: 'no' }, { status: 'error', parts: text('no') }],
    ['JSON', { type: 'json', value: [1] }, { status: 'ok', parts: [{ type: 'json', value: [1] }] }],
    ['a denial', { type: 'execution-denied', reason: 'not today' }, { status: 'error', parts: text('{"error":"The tool was not run: not today."}') }],
    [
      'an address',
      { type: 'content', value: [{ type: 'image-url', url: 'https://x/y.png' }] },
      { status: 'ok', parts: text('[image-url: https://x/y.png]') },
    ],
  ] as const)('gives what toModelOutput makes: %s', async (_what, output, expected) => {
    const report = tool({ description: 'R.', inputSchema: z.object({}), execute: () => ({ long: 'x' }), toModelOutput: () => output as never })
    expect(await call([{ report }], ['report', {}])).toMatchObject(expected)
  })

  it('keeps the bytes of an output in the media store', async () => {
    const kept: { bytes: number[]; mediaType: string }[] = []
    const media: RunInput['media'] = {
      put: (bytes, mediaType) => Promise.resolve({ ref: `media_${kept.push({ bytes: [...bytes], mediaType })}`, mediaType }),
      get: () => Promise.reject(new Error('never read')),
    }
    const draw = tool({
      description: 'Draws.',
      inputSchema: z.object({}),
      execute: () => 'AQID',
      toModelOutput: ({ output }) => ({
        type: 'content',
        value: [
          { type: 'text', text: 'a picture' },
          { type: 'image-data', data: output, mediaType: 'image/png' },
        ],
      }),
    })
    const { parts } = await call([{ draw }], ['draw', {}], { media })
    expect(parts).toEqual([...text('a picture'), { type: 'media', media: { ref: 'media_1', mediaType: 'image/png' } }])
    expect(kept).toEqual([{ bytes: [1, 2, 3], mediaType: 'image/png' }])
  })

  it('asks a person where a tool needs approval, and by the input where it says so', async () => {
    const ran: unknown[] = []
    const remove = tool({
      description: 'Removes.',
      inputSchema: z.object({ path: z.string() }),
      needsApproval: ({ path }) => path.startsWith('/'),
      execute: ({ path }) => {
        ran.push(path)
        return 'gone'
      },
    })
    expect((await call([{ remove }], ['remove', { path: 'a' }])).status).toBe('ok')
    const alone = await call([{ remove }], ['remove', { path: '/' }])
    expect(alone.status).toBe('denied')
    expect(ran).toEqual(['a'])
    const model = new ScriptedModel(calling('remove', { path: '/b' }))
    const run = createAgent({ model, tools: [{ remove }] }).stream({ messages: 'go', canAnswer: true })
    for await (const event of run.events) if (event.type === 'question-open') run.answer(event.question.id, { kind: 'approved' })
    expect(ran).toEqual(['a', '/b'])
    const always = await call([{ remove: { ...remove, needsApproval: true } }], ['remove', { path: 'a' }])
    expect(always.status).toBe('denied')
    expect(ran).toEqual(['a', '/b'])
  })

  it('stops with the turn, and a throw is an error for the model', async () => {
    const model = new ScriptedModel(calling('hang', {}))
    const told: unknown[] = []
    const hang = tool({
      description: 'Hangs.',
      inputSchema: z.object({}),
      execute: (_input, { abortSignal }) =>
        new Promise<string>((_resolve, reject) => abortSignal?.addEventListener('abort', () => reject(new Error(String(told.push('told')))))),
    })
    const run = createAgent({ model, tools: [{ hang }] }).stream({ messages: 'go' })
    for await (const event of run.events) if (event.type === 'tool-start') run.stop()
    expect((await run.result).outcome.status).toBe('interrupted')
    expect(told).toEqual(['told'])
    const broken = tool({ description: 'B.', inputSchema: z.object({}), execute: (): string => JSON.parse('{') as string })
    expect(await call([{ broken }], ['broken', {}])).toMatchObject({ status: 'error' })
  })

  it('may stand beside our tools and in one turn alone, and dynamic tools in it', async () => {
    const echo = dynamicTool({ description: 'Echoes.', inputSchema: z.object({ say: z.string() }), execute: (input) => Promise.resolve(input) })
    const ours = { name: 'ours', description: 'Ours.', input: z.object({}), run: () => 'ran' }
    const model = new ScriptedModel(calling('echo', { say: 'hi' }))
    const { messages } = await runTurn(createAgent({ model, tools: [ours] }), { messages: 'go', tools: [{ echo }] }).result
    expect(model.calls[0]?.tools?.map(({ name }) => name)).toEqual(['echo', 'ours'])
    expect(messages.find((message) => message.role === 'tool')?.parts).toEqual([{ type: 'json', value: { say: 'hi' } }])
  })

  it.each<readonly [string, Tools, string]>([
    [
      'without execute',
      [{ ask: tool({ description: 'Asks.', inputSchema: z.object({}) }) }],
      'tool "ask" of a tool set cannot be used: it has no execute',
    ],
    ['with a schema of nobody', [{ odd: { inputSchema: {}, execute: () => '' } }], 'neither of zod 4'],
    ['with a name that no provider takes', [{ 'a.b': tool({ description: 'D.', inputSchema: z.object({}), execute: () => '' }) }], 'a.b'],
    [
      'of a taken name',
      [{ one: tool({ inputSchema: z.object({}), execute: () => '' }) }, { one: tool({ inputSchema: z.object({}), execute: () => '' }) }],
      'named "one"',
    ],
  ])('with a tool %s is refused, by name', (_what, tools, message) => {
    expect(() => createAgent({ model: ScriptedModel.echo(), tools })).toThrow(message)
  })
})

describe('the tools of an MCP server', () => {
  async function connect() {
    const server = new McpServer({ name: 'files', version: '1.0.0' })
    const input = { inputSchema: { path: z.string() } }
    server.registerTool('read', { ...input, description: 'Reads.', annotations: { readOnlyHint: true } }, ({ path }) => ({
      content: [{ type: 'text', text: `read ${path}` }],
    }))
    server.registerTool('fail', { ...input, description: 'Fails.' }, () => ({ content: [{ type: 'text', text: 'no such file' }], isError: true }))
    server.registerTool('shot', { ...input, description: 'Takes a picture.' }, () => ({
      content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }],
    }))
    const [ours, theirs] = InMemoryTransport.createLinkedPair()
    await server.connect(theirs)
    const client = await createMCPClient({ transport: ours as never })
    closing.push(
      () => client.close(),
      () => server.close(),
    )
    return client.tools()
  }

  it('are listed and called like all others', async () => {
    const tools = await connect()
    const { model, status, parts } = await call([tools], ['read', { path: 'a' }])
    expect({ status, parts }).toEqual({ status: 'ok', parts: text('read a') })
    expect(model.calls[0]?.tools?.map(({ name }) => name)).toEqual(['fail', 'read', 'shot'])
    const wrong = await call([tools], ['read', { path: 1 }])
    expect(JSON.stringify(wrong.parts)).toContain('Invalid input for read')
  })

  it('say that they failed, and give pictures', async () => {
    const tools = await connect()
    expect(await call([tools], ['fail', { path: 'a' }])).toMatchObject({ status: 'error', parts: text('no such file') })
    expect((await call([tools], ['shot', { path: 'a' }])).parts).toMatchObject([{ type: 'media', media: { mediaType: 'image/png' } }])
  })

  it('are read-only where the server says so', async () => {
    const agent = createAgent({ model: ScriptedModel.echo(), tools: [await connect()] })
    expect(agent.tools?.map(({ name, readOnly }) => [name, readOnly === true])).toEqual([
      ['read', true],
      ['fail', false],
      ['shot', false],
    ])
  })
})
