import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { defineTool, type AgentEvent, type RuntimeEvent } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ScriptedModel } from '../testing/index.js'
import { createAgent, runTurn } from './index.js'
import { eventsOf, linesOf, RecordingJournal, runtimeOf, seen } from './recorded-turns.js'

const model = { provider: 'p', model: 'm' }
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
const ready = defineTool({ name: 'ready', description: 'R.', input: z.object({}), readOnly: true, run: () => 'done' })
const say = (text: string): RuntimeEvent => ({
  type: 'message-add',
  message: { role: 'assistant', model, finish: 'stop', parts: [{ type: 'text', text }] },
})
const ask = (...ids: string[]): RuntimeEvent => ({
  type: 'message-add',
  message: {
    role: 'assistant',
    model,
    finish: 'tool-calls',
    parts: ids.map((id) => ({ type: 'tool-call', callId: id as never, name: 'ready', input: {} })),
  },
})

/** Plays fixed events. */
const playing = (events: readonly RuntimeEvent[]) =>
  runtimeOf(async function* () {
    yield* events
  })

/** A model that says these blocks in one step and calls every one of them `0`, as some providers do. */
function countingFromZero(...blocks: readonly (readonly ['text' | 'reasoning', string])[]): ScriptedModel {
  const parts = blocks.flatMap(([type, delta]): LanguageModelV3StreamPart[] => [
    { type: `${type}-start`, id: '0' },
    { type: `${type}-delta`, id: '0', delta },
    { type: `${type}-end`, id: '0' },
  ])
  const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0, text: 1, reasoning: 0 }
  parts.push({ type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: { inputTokens: tokens, outputTokens: tokens } })
  const stream = new ReadableStream<LanguageModelV3StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
  return Object.assign(ScriptedModel.echo(), { doStream: () => Promise.resolve({ stream }) })
}
const typesOf = (events: readonly AgentEvent[]) => events.map((event) => event.type)

describe('the events of a turn', () => {
  // engine-api G1
  it.each([
    ['returns at once', playing([])],
    [
      'throws at once',
      runtimeOf(() => {
        throw new Error('no')
      }),
    ],
    [
      'throws later',
      runtimeOf(async function* () {
        yield say('x')
        throw new Error('no')
      }),
    ],
  ])('begin with turn-start and end with turn-end, each once, when the runtime %s', async (_what, runtime) => {
    const types = typesOf(await eventsOf(runTurn(runtime, { messages: 'go' })))
    expect([types[0], types.at(-1)]).toEqual(['turn-start', 'turn-end'])
    expect(types.filter((type) => type === 'turn-start' || type === 'turn-end')).toHaveLength(2)
  })

  // engine-api G2
  it('have block ids that are unique in a step, whatever the provider calls them', async () => {
    const events = await eventsOf(
      createAgent({ model: countingFromZero(['text', 'a'], ['reasoning', 'b'], ['text', 'c']) }).stream({ messages: 'go' }),
    )
    expect(events.flatMap((event) => ('id' in event ? [`${event.type} ${event.id}`] : []))).toEqual([
      'text-delta 0',
      'text-end 0',
      'reasoning-delta 1',
      'reasoning-end 1',
      'text-delta 2',
      'text-end 2',
    ])
  })

  // engine-api G3
  it('show an answer and an intent only when they are written, and start no tool before', async () => {
    const journal = new RecordingJournal()
    const log: string[] = []
    journal.onWrite = async (name) => {
      await new Promise((resolve) => setImmediate(resolve))
      log.push(`wrote ${name}`)
    }
    const tool = { ...ready, run: () => new Promise<string>((resolve) => setImmediate(() => resolve(String(log.push('tool ran'))))) }
    const run = createAgent({ model: new ScriptedModel([[{ toolCall: { name: 'ready', input: {}, id: 'c1' } }], 'done']), tools: [tool] }).stream({
      messages: 'go',
      journal,
    })
    for await (const event of run.events) if (['message-add', 'tool-start', 'tool-end'].includes(event.type)) log.push(event.type)
    expect(log).toEqual([
      'wrote message user',
      'wrote message assistant',
      'message-add',
      'message-add',
      'wrote intent c1',
      'tool-start',
      'tool ran',
      'wrote result c1',
      'tool-end',
      'wrote message assistant',
      'message-add',
    ])
  })

  // engine-api G3 · engine-api R2
  it('show every result as soon as its tool ended and it is written, while others of the batch still run', async () => {
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    const tool = { ...ready, input: z.object({ n: z.number() }), run: ({ n }: { n: number }) => (n === 1 ? gate.then(() => '1') : '2') }
    const calls = [1, 2].map((n) => ({ toolCall: { name: 'ready', input: { n }, id: `c${n}` } }))
    const journal = new RecordingJournal()
    const run = createAgent({ model: new ScriptedModel([calls, 'done']), tools: [tool as never] }).stream({ messages: 'go', journal })
    expect((await seen(run, 'tool-end')).message.callId).toBe('c2')
    expect(journal.writes.at(-1)).toBe('result c2')
    release()
    const ends = (await eventsOf(run)).flatMap((event) => (event.type === 'tool-end' ? [event.message.callId] : []))
    expect(ends).toEqual(['c2', 'c1'])
  })

  // engine-api G3
  it('show what a tool tells of its progress between its intent and its result', async () => {
    const tool = defineTool({
      name: 'ready',
      description: 'R.',
      input: z.object({}),
      run: (_input, { progress }) => (progress('half'), 'done'),
    })
    const run = createAgent({ model: new ScriptedModel([[{ toolCall: { name: 'ready', input: {} } }], 'done']), tools: [tool] }).stream({
      messages: 'go',
    })
    const types = typesOf(await eventsOf(run)).filter((type) => type.startsWith('tool-') && type !== 'tool-input-start')
    expect(types).toEqual(['tool-start', 'tool-progress', 'tool-end'])
  })

  // engine-api G4
  it('hold an answer without calls until the next step begins, or the turn ends', async () => {
    const journal = new RecordingJournal()
    const runtime = playing([
      { type: 'step-start', model },
      say('one'),
      { type: 'retry-wait', failure: { reason: 'timeout', message: '' }, attempt: 1, delayMs: 1 },
      { type: 'step-start', model },
      say('two'),
    ])
    const run = runTurn(runtime, { messages: 'go', journal })
    const { outcome } = await run.result
    expect(typesOf(await eventsOf(run)).slice(1)).toEqual([
      'step-start',
      'retry-wait',
      'message-add',
      'message-add',
      'step-start',
      'message-add',
      'turn-end',
    ])
    expect(outcome.text).toBe('two')
    expect(journal.writes).toEqual(['message user', 'message assistant', 'message assistant', 'end completed'])
  })

  // engine-api R1
  it('leave nothing of an answer that was held when the runtime failed', async () => {
    const runtime = runtimeOf(async function* () {
      yield say('held')
      throw new Error('no')
    })
    const { outcome, messages } = await runTurn(runtime, { messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'failed', text: '' })
    expect(messages).toHaveLength(1)
  })
})

describe('the transcript', () => {
  // engine-api R2
  it('closes calls that a runtime never made, before anything follows', async () => {
    const { messages } = await runTurn(playing([ask('c1', 'c2'), say('on')]), { messages: 'go', tools: [ready] }).result
    expect(linesOf(messages).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'user go',
      'assistant ready()',
      'tool skipped',
      'tool skipped',
      'assistant on',
    ])
  })

  // engine-api R2
  it('gives the second call of an id the first result', async () => {
    const statuses: string[] = []
    const runtime = runtimeOf(async function* (turn) {
      yield ask('c1')
      const made = await Promise.all([1, 2].map(() => turn.tools.call({ callId: 'c1', name: 'ready', input: {} })))
      statuses.push(...made.map((message) => message.id))
    })
    const { messages } = await runTurn(runtime, { messages: 'go', tools: [ready] }).result
    expect(new Set(statuses).size).toBe(1)
    expect(messages.filter((message) => message.role === 'tool')).toHaveLength(1)
  })

  // engine-api 12: note taken but never recorded comes back
  it('gives back a note that a runtime took and never added', async () => {
    let take: () => void = () => undefined
    const runtime = runtimeOf(
      async function* (turn) {
        await new Promise<void>((resolve) => (take = resolve))
        await turn.inbox.arrived()
        turn.inbox.take()
        yield say('on')
      },
      { steers: true },
    )
    const run = runTurn(runtime, { messages: 'go' })
    run.steer('note')
    await new Promise((resolve) => setImmediate(resolve))
    take()
    expect(linesOf((await run.result).undelivered)).toEqual(['user note'])
  })

  // engine-api R8
  it('takes no user message from a runtime that is no note', async () => {
    const runtime = runtimeOf(async function* (turn) {
      yield { type: 'message-add', message: { ...turn.input[0]!, id: 'forged' as never } }
    })
    const { outcome } = await runTurn(runtime, { messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'failed', failure: { reason: 'runtime' } })
  })

  it('keeps the state of a runtime, and tells it in the next turn', async () => {
    const journal = new RecordingJournal()
    let state: unknown
    const runtime = runtimeOf(async function* (turn) {
      state = turn.state
      yield { type: 'state-set', state: { thread: 't1' } }
    })
    await runTurn(runtime, { messages: 'go', journal, state: { thread: 't0' } }).result
    expect(state).toEqual({ thread: 't0' })
    expect(journal.facts).toContainEqual({ kind: 'state', runtime: 'test', state: { thread: 't1' } })
  })
})

describe('reading', () => {
  it('late, twice or from two readers gives the same events, with deltas joined', async () => {
    const run = createAgent({ model: ScriptedModel.echo() }).stream({ messages: 'one two three' })
    const live = eventsOf(run)
    await run.result
    const texts = async (events: Promise<AgentEvent[]>) => (await events).map((event) => ('text' in event ? event.text : '')).join('')
    expect(await texts(live)).toBe('one two three')
    const late = await eventsOf(run)
    expect(late).toEqual(await eventsOf(run))
    expect(late.filter((event) => event.type === 'text-delta')).toEqual([{ type: 'text-delta', id: '0', text: 'one two three' }])
  })

  it('never does not stop the turn, and 10,000 deltas cost listeners nothing and a late reader few events', async () => {
    let listeners = 0
    const runtime = runtimeOf(async function* (turn) {
      const add = turn.signal.addEventListener.bind(turn.signal)
      turn.signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args))
      for (let index = 0; index < 10_000; index++) yield { type: 'text-delta', id: '0', text: 'word ' }
      yield { type: 'step-end', finish: 'stop', usage }
    })
    const run = runTurn(runtime, { messages: 'go' })
    await run.result
    const events = await eventsOf(run)
    expect(listeners).toBe(0)
    expect(events.length).toBeLessThan(20)
    expect(events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('')).toBe('word '.repeat(10_000))
  })
})

describe('what is no event', () => {
  it.each(['hello', null, { type: 'answer', text: 'x' }])('fails the turn and says so: %j', async (junk) => {
    const runtime = runtimeOf(async function* () {
      yield junk as never
    })
    const { outcome } = await runTurn(runtime, { messages: 'go' }).result
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: { reason: 'runtime', message: expect.stringContaining('no event that a runtime may yield') },
    })
  })
})
