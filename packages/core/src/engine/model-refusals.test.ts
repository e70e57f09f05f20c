import { defineTool, type AssistantMessage, type MediaRef, type Message, type UserMessage } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { randomIds } from '../kernel/index.js'
import { FakeClock, ScriptedModel, type Script } from '../testing/index.js'
import { createAgent, createMemoryMedia, type AgentOptions, type RunInput } from './index.js'
import { eventsOf } from './recorded-turns.js'

let count = 0
const stamp = () => ({ id: `m${count++}` as never, turn: 'turn-1' as never, at: 1 })
const user = (...parts: UserMessage['parts']): Message => ({ ...stamp(), role: 'user', origin: 'person', parts })
const text = (words: string) => ({ type: 'text', text: words }) as const
const thought = (issuer = 'scripted/script'): Message => ({
  ...stamp(),
  role: 'assistant',
  model: { provider: 'scripted', model: 'script' },
  finish: 'stop',
  parts: [
    { type: 'reasoning', text: 'hm', replay: { issuer, data: { scripted: { signature: 's' } } } },
    text('answer'),
  ] satisfies AssistantMessage['parts'],
})
const refuse = (message: string, status = 400) => [{ error: { status, message } }]
const badSignature = 'messages.1.content.0: Invalid `signature` in `thinking` block'

async function ask(script: Script, input: Partial<RunInput> & Pick<RunInput, 'messages'>, options: Partial<AgentOptions> = {}) {
  const model = new ScriptedModel(script)
  const run = createAgent({ model, ...options }).stream({ clock: new FakeClock(), ...input })
  const [result, events] = [await run.result, await eventsOf(run)]
  const states = events.flatMap((event) => (event.type === 'state-set' ? [event.state] : []))
  return { model, ...result, events, state: states.at(-1) }
}

function kindsSent(model: ScriptedModel): string[][] {
  return model.calls.map(({ prompt }) => prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : content.map((part) => part.type))))
}

async function picture(): Promise<{ media: ReturnType<typeof createMemoryMedia>; part: { type: 'media'; media: MediaRef } }> {
  const media = createMemoryMedia(randomIds)
  return { media, part: { type: 'media', media: await media.put(new Uint8Array([1, 2, 3]), 'image/png', 'cat.png') } }
}

// engine 2.7
describe('replay data that a model refuses', () => {
  it('are left out at once, without a wait and without using up an attempt', async () => {
    const messages = [user(text('q')), thought(), 'and now?']
    const { model, outcome, events } = await ask([refuse(badSignature), 'done'], { messages }, { retry: { attempts: 1 } })
    expect(outcome).toMatchObject({ status: 'completed', text: 'done', steps: 1 })
    expect(kindsSent(model)).toEqual([
      ['text', 'reasoning', 'text', 'text'],
      ['text', 'text', 'text'],
    ])
    expect(events.find((event) => event.type === 'retry-wait')).toMatchObject({ delayMs: 0, failure: { reason: 'replay-refused' } })
  })

  it('stay left out in later turns, also after a restart, and what the model said since is sent', async () => {
    const first = await ask([refuse(badSignature), 'done'], { messages: [user(text('q')), thought(), 'and now?'] })
    const { state } = first
    const { model } = await ask(['done'], { messages: [...first.messages, user(text('r')), thought(), 'more?'], state })
    expect(model.calls).toHaveLength(1)
    expect(kindsSent(model)[0]!.filter((kind) => kind === 'reasoning')).toHaveLength(1)
  })

  it('that are refused again fail the turn', async () => {
    const { model, outcome } = await ask(() => refuse(badSignature), { messages: [user(text('q')), thought(), 'and now?'] })
    expect(model.calls).toHaveLength(2)
    expect(outcome).toMatchObject({ status: 'failed', failure: { reason: 'replay-refused' } })
  })

  it('of another model say nothing about this one', async () => {
    const first = await ask([refuse(badSignature), 'done'], { messages: [user(text('q')), thought(), 'and now?'] })
    const other = new ScriptedModel(['done'], { modelId: 'other' })
    const messages = [user(text('q')), thought('scripted/other'), 'more?']
    await createAgent({ model: other }).stream({ messages, state: first.state! }).result
    expect(kindsSent(other)[0]).toContain('reasoning')
  })

  it('do no harm where the state is of nobody we know', async () => {
    const { outcome } = await ask(['done'], { messages: 'go', state: ['odd'] })
    expect(outcome.text).toBe('done')
  })
})

describe('an image', () => {
  it('is shown to the model behind a line that names it', async () => {
    const { media, part } = await picture()
    const { model } = await ask(['done'], { messages: [user(text('what is it?'), part)], media })
    expect(model.calls[0]?.prompt[0]?.content).toEqual([
      text('what is it?'),
      text(`[image/png "cat.png", kept as ${part.media.ref}]`),
      { type: 'file', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
    ])
  })

  it.each([
    ['image-too-large', 'image exceeds 5 MB maximum'],
    ['format-error', 'unknown variant `image_url`, expected `text`'],
  ])('that a model refuses as %s is told in words', async (reason, message) => {
    const { media, part } = await picture()
    const { model, outcome, events } = await ask([refuse(message), 'done'], { messages: [user(text('what is it?'), part)], media })
    expect(outcome.text).toBe('done')
    expect(kindsSent(model)).toEqual([
      ['text', 'text', 'file'],
      ['text', 'text'],
    ])
    expect(events.find((event) => event.type === 'retry-wait')).toMatchObject({ failure: { reason } })
  })

  it.each([
    ['cannot be read', { ref: 'media_gone', mediaType: 'image/png' }],
    ['is too large for any model', { ref: 'media_large', mediaType: 'image/png', bytes: 6_000_000 }],
    ['is of a type that few models take', { ref: 'media_tiff', mediaType: 'image/tiff' }],
  ])('that %s is told in words', async (_what, media) => {
    const { model } = await ask(['done'], { messages: [user({ type: 'media', media })] })
    expect(kindsSent(model)).toEqual([['text']])
  })

  it('is told in words when many newer ones follow, ten at a time', async () => {
    const media = createMemoryMedia(randomIds)
    const put = async (_item: unknown, index: number) =>
      ({ type: 'media', media: await media.put(new Uint8Array([index + 1]), 'image/png') }) as const
    const shown = await Promise.all(
      [10, 19, 20, 29, 30].map(async (images) => {
        const { model } = await ask(['done'], { messages: [user(...(await Promise.all(Array.from({ length: images }, put))))], media })
        return kindsSent(model)[0]!.filter((kind) => kind === 'file').length
      }),
    )
    expect(shown).toEqual([10, 19, 10, 19, 10])
  })
})

describe('an image in a result', () => {
  const shot = (part: object) =>
    defineTool({ name: 'shot', description: 'Takes a picture.', input: { type: 'object' }, run: () => ({ parts: [text('taken'), part] }) as never })
  const outputs = (model: ScriptedModel) =>
    model.calls.map(({ prompt }) =>
      prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])).map((part) => 'output' in part && part.output),
    )
  const shoot = [{ toolCall: { name: 'shot', input: {} } }]

  it('is shown where the provider takes images there, and told in words elsewhere', async () => {
    const { media, part } = await picture()
    const line = `taken\n[image/png "cat.png", kept as ${part.media.ref}]`
    for (const [provider, output] of [
      ['anthropic.messages', { type: 'content', value: [text(line), { type: 'image-data', data: 'AQID', mediaType: 'image/png' }] }],
      ['openai.chat', { type: 'text', value: line }],
    ] as const) {
      const model = new ScriptedModel([shoot, 'done'], { provider })
      await createAgent({ model, tools: [shot(part)] }).stream({ messages: [user(part)], media }).result
      expect(outputs(model)[1]).toEqual([output])
    }
  })

  it('that a model refuses as a list is told in words from then on', async () => {
    const { media, part } = await picture()
    const script: Script = [shoot, refuse('messages[2].content: invalid type: sequence, expected a string'), shoot, 'done']
    const model = new ScriptedModel(script, { provider: 'google.generative-ai' })
    const { outcome } = await createAgent({ model, tools: [shot(part)] }).stream({ messages: 'go', media }).result
    expect(outcome.text).toBe('done')
    expect(outputs(model).map((sent) => sent.map((output) => output && output.type))).toEqual([[], ['content'], ['text'], ['text', 'text']])
  })
})

describe('a schema that a local server cannot make a grammar of', () => {
  it('is sent without its patterns from then on', async () => {
    const properties = { code: { type: 'string', pattern: '\\d+' }, pattern: { type: 'string', format: 'date' } }
    const look = defineTool({ name: 'look', description: 'Looks.', input: { type: 'object', properties }, run: () => '' })
    const grammar = "JSON schema conversion failed: Pattern must start with '^' and end with '$'"
    const script: Script = [refuse(grammar), [{ toolCall: { name: 'look', input: { code: 'x' } } }], 'done']
    const { model, outcome } = await ask(script, { messages: 'go' }, { tools: [look] })
    expect(outcome.text).toBe('done')
    const schemas = model.calls.map(({ tools }) => tools?.map((tool) => tool.type === 'function' && tool.inputSchema))
    const plain = { type: 'object', properties: { code: { type: 'string' }, pattern: { type: 'string' } } }
    expect(schemas).toEqual([[{ type: 'object', properties }], [plain], [plain]])
  })
})

describe('a long conversation', () => {
  const long = [user(text('x'.repeat(40_000))), thought(), 'go']
  const lost = () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) })
  }
  const reasonOf = async (script: Script, options: Partial<AgentOptions> = {}) => {
    const { outcome } = await ask(script, { messages: long }, { contextWindow: 10_000, retry: { attempts: 1 }, ...options })
    return outcome.failure?.reason
  }

  // engine 10
  it('that is refused without words was too long', async () => {
    const { outcome, model } = await ask(() => refuse('error'), { messages: long }, { contextWindow: 10_000 })
    expect(outcome.failure?.reason).toBe('context-overflow')
    expect(model.calls).toHaveLength(1)
    expect(await reasonOf(() => refuse('error'), { contextWindow: 256_000 })).toBe('format-error')
  })

  it('whose connection is lost before the first word was too long, if trying again does not help', async () => {
    expect(await reasonOf(lost)).toBe('context-overflow')
    expect(await reasonOf(lost, { contextWindow: 256_000 })).toBe('timeout')
    const { outcome } = await ask([lost, 'done'], { messages: long, clock: undefined }, { contextWindow: 10_000, retry: { baseMs: 0 } })
    expect(outcome.text).toBe('done')
  })

  it('whose connection is lost behind the first words was not', async () => {
    expect(await reasonOf(() => [{ text: 'half' }, { error: { status: 0, message: 'socket hang up' } }])).toBe('timeout')
  })

  it('with a model that thinks silently was not, as proxies cut that off', async () => {
    const model = new ScriptedModel(lost, { modelId: 'o3' })
    const { outcome } = await createAgent({ model, contextWindow: 10_000, retry: { attempts: 1 } }).stream({ messages: long }).result
    expect(outcome.failure?.reason).toBe('timeout')
  })
})
