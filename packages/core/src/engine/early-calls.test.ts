import { defineTool, type AgentTurn, type Message, type New, type RuntimeEvent, type ToolMessage } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeClock, ScriptedModel } from '../testing/index.js'
import { createAgent, runTurn } from './index.js'
import { eventsOf, linesOf, RecordingJournal, runtimeOf } from './recorded-turns.js'

const model = { provider: 'p', model: 'm' }
const ready = defineTool({ name: 'ready', description: 'R.', input: z.object({}), run: () => 'done' })
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
    parts: [
      { type: 'text', text: 'let me' },
      ...ids.map((id) => ({ type: 'tool-call', callId: id as never, name: 'ready', input: { id } }) as const),
    ],
  },
})
const begin = (callId: string): RuntimeEvent => ({ type: 'tool-start', callId, name: 'own', input: { of: callId } })
const end = (callId: string, more: Partial<New<ToolMessage>> = {}): RuntimeEvent => ({
  type: 'tool-end',
  result: { role: 'tool', callId: callId as never, name: 'own', status: 'ok', parts: [{ type: 'text', text: `ran ${callId}` }], ...more },
})

/** Runs a runtime that yields these events. */
function playing(events: readonly RuntimeEvent[]) {
  const journal = new RecordingJournal()
  return {
    journal,
    run: runTurn(
      runtimeOf(async function* () {
        yield* events
      }),
      { messages: 'go', journal },
    ),
  }
}
const inputsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) => message.parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : [])))

// engine-api R6 · engine-api G3
describe('a tool that a runtime runs itself', () => {
  it('is written and shown as the tools of the host are', async () => {
    const events = [ask('c1'), begin('c1'), { type: 'tool-progress', callId: 'c1', update: { parts: [] } }, end('c1'), say('so')] as const
    const { run, journal } = playing(events)
    const types = (await eventsOf(run)).map((event) => event.type)
    expect(types).toEqual(['turn-start', 'message-add', 'message-add', 'tool-start', 'tool-progress', 'tool-end', 'message-add', 'turn-end'])
    expect(journal.writes).toEqual(['message user', 'message assistant', 'intent c1', 'result c1', 'message assistant', 'end completed'])
    expect(linesOf((await run.result).messages)).toEqual(['user go', 'assistant let me ready()', 'tool ok ran c1', 'assistant so'])
  })

  it('may begin and end before its answer is stored: its result is read behind that answer', async () => {
    const { run, journal } = playing([{ type: 'step-start', model }, begin('c1'), end('c1'), begin('c2'), ask('c1', 'c2'), end('c2'), say('so')])
    const { messages } = await run.result
    expect(journal.writes.slice(1, 6)).toEqual(['intent c1', 'result c1', 'intent c2', 'message assistant', 'result c2'])
    expect(linesOf(messages)).toEqual(['user go', 'assistant let me ready() ready()', 'tool ok ran c1', 'tool ok ran c2', 'assistant so'])
  })

  it('gets an answer made from its intent when its own never comes, so that the model learns that it ran', async () => {
    const { run, journal } = playing([{ type: 'step-start', model }, begin('c1'), end('c1'), { type: 'step-start', model }, say('so')])
    const { messages, outcome } = await run.result
    expect(linesOf(messages)).toEqual(['user go', 'assistant own()', 'tool ok ran c1', 'assistant so'])
    expect(messages[1]).toMatchObject({ model, finish: 'tool-calls' })
    expect(inputsOf(messages)).toEqual([{ of: 'c1' }])
    expect(journal.writes).toEqual(['message user', 'intent c1', 'result c1', 'message assistant', 'message assistant', 'end completed'])
    expect(outcome.text).toBe('so')
  })

  it('is closed when the runtime returns without its end', async () => {
    const { run } = playing([begin('c1')])
    const { messages } = await run.result
    expect(linesOf(messages).slice(1, 3)).toEqual([
      'assistant own()',
      'tool interrupted Interrupted: this call had begun when it was told to stop. It may have had effects.',
    ])
  })

  // engine-api R11 · engine-api G5
  it('is told to the model after a stop as well, and its result is taken within the grace', async () => {
    const journal = new RecordingJournal()
    const runtime = runtimeOf(async function* (turn) {
      yield begin('c1')
      yield begin('c2')
      yield begin('c3')
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve))
      yield end('c1')
      yield end('c2')
      yield say('late')
    })
    const run = runTurn(runtime, { messages: 'go', journal, clock: new FakeClock() })
    for await (const event of run.events) if (event.type === 'tool-start' && event.callId === 'c3') break
    journal.refuses = 'stopped'
    run.stop()
    const { messages, outcome } = await run.result
    expect(outcome.status).toBe('interrupted')
    expect(linesOf(messages).map((line) => line.slice(0, 24))).toEqual([
      'user go',
      'assistant own() own() ow',
      'tool ok ran c1',
      'tool ok ran c2',
      'tool interrupted Interru',
    ])
  })

  it('is unknown in the next life when the process died while it ran, and its answer is made then', async () => {
    const stored = (await runTurn(playingNothing, { messages: 'go' }).result).messages
    const turn = stored[0]!.turn
    const early: Message = { ...(end('c2') as unknown as { result: ToolMessage }).result, id: 'm2' as never, turn, at: 1 }
    const intents = ['c1', 'c2'].map((callId) => ({ turn, callId, name: 'own', input: { of: callId } }))
    const journal = new RecordingJournal()
    const { messages, outcome } = await runTurn(playingNothing, { messages: [...stored, early], intents, journal }).result
    expect(outcome).toMatchObject({ status: 'interrupted' })
    expect(linesOf(messages).map((line) => line.slice(0, 20))).toEqual(['user go', 'assistant own() own(', 'tool unknown Unknown', 'tool ok ran c2'])
    expect(journal.writes).toEqual(['message assistant', 'result c1', 'end interrupted'])
  })

  it('is told once: the first result counts, and the first beginning', async () => {
    const { run } = playing([ask('c1'), begin('c1'), begin('c1'), end('c1'), end('c1', { status: 'error' }), say('so')])
    const events = await eventsOf(run)
    expect(events.filter((event) => event.type === 'tool-start' || event.type === 'tool-end')).toHaveLength(2)
    expect(linesOf((await run.result).messages)[2]).toBe('tool ok ran c1')
  })

  it('that gives back nonsense gets an error for its result', async () => {
    const { run } = playing([ask('c1'), begin('c1'), end('c1', { parts: 'junk' as never }), say('so')])
    expect(linesOf((await run.result).messages)[2]).toMatch(/^tool error .*neither a text nor/)
  })
})

const playingNothing = runtimeOf(async function* () {})

describe('a call through the tools of the turn before its answer is stored', () => {
  const early = (then: (turn: AgentTurn) => AsyncIterable<RuntimeEvent>) => runTurn(runtimeOf(then), { messages: 'go', tools: [ready] }).result

  it('runs, and its result is read behind the answer that comes', async () => {
    const { messages } = await early(async function* (turn) {
      const made = [turn.tools.call({ callId: 'c1', name: 'ready', input: {} }), turn.tools.call({ callId: 'c2', name: 'none', input: {} })]
      yield ask('c1', 'c2')
      await Promise.all(made)
      yield say('so')
    })
    expect(linesOf(messages).map((line) => line.slice(0, 32))).toEqual([
      'user go',
      'assistant let me ready() ready()',
      'tool ok done',
      'tool error {"error":"There is no',
      'assistant so',
    ])
  })

  it('gets an answer made for it when its own never comes', async () => {
    const { messages } = await early(async function* (turn) {
      await turn.tools.call({ callId: 'c9', name: 'ready', input: { a: 1 } })
      yield say('on')
    })
    expect(linesOf(messages)).toEqual(['user go', 'assistant ready()', 'tool ok done', 'assistant on'])
    expect(inputsOf(messages)).toEqual([{ a: 1 }])
  })
})

// engine-api R7 · engine-api 12: repeated call ids
describe('call ids', () => {
  it('that a provider repeats get a suffix, and every call its own result', async () => {
    const count = defineTool({ name: 'count', description: 'C.', input: z.object({ n: z.number() }), readOnly: true, run: ({ n }) => `${n}` })
    const call = (n: number) => ({ toolCall: { name: 'count', input: { n }, id: '0' } })
    const agent = createAgent({ model: new ScriptedModel([[call(1)], [call(2), call(3)], 'done']), tools: [count] })
    const run = agent.stream({ messages: 'go' })
    const starts = (await eventsOf(run)).flatMap((event) => (event.type === 'tool-start' ? [event.callId] : []))
    const { messages } = await run.result
    expect(starts).toEqual(['0', '0-2', '0-3'])
    const results = messages.filter((message) => message.role === 'tool')
    expect(results.map((message) => message.callId)).toEqual(['0', '0-2', '0-3'])
    expect(linesOf(results)).toEqual(['tool ok 1', 'tool ok 2', 'tool ok 3'])
  })

  it('of a loop that knows only its own are understood as those of the newest answer', async () => {
    const { messages } = await runTurn(
      runtimeOf(async function* (turn) {
        for (const round of [1, 2]) {
          yield ask('c1')
          const result = await turn.tools.call({ callId: 'c1', name: 'ready', input: {} })
          yield say(`${round}: ${result.callId}`)
        }
      }),
      { messages: 'go', tools: [ready] },
    ).result
    expect(linesOf(messages).filter((line) => line.includes(':'))).toEqual(['assistant 1: c1', 'assistant 2: c1-2'])
  })
})

// engine-api R9
describe('a summary', () => {
  const earlier = async () => (await createAgent({ model: ScriptedModel.echo() }).stream({ messages: 'first' }).result).messages
  const covering = (from: string, to: string): RuntimeEvent => ({
    type: 'message-add',
    message: { role: 'summary', parts: [{ type: 'text', text: 'They said “first”.' }], covers: { from: from as never, to: to as never } },
  })

  it('takes the place of what it covers, in this turn and in those that read the rows again', async () => {
    const stored = await earlier()
    const journal = new RecordingJournal()
    const read: string[][] = []
    const runtime = runtimeOf(async function* (turn) {
      yield { type: 'compaction-start', reason: 'threshold' }
      yield covering(stored[0]!.id, stored[1]!.id)
      yield { type: 'compaction-end', outcome: 'done' }
      read.push(linesOf(turn.messages))
      yield say('so')
    })
    const run = runTurn(runtime, { messages: [...stored, 'second'], journal })
    const types = (await eventsOf(run)).map((event) => event.type)
    expect(types.filter((type) => type.startsWith('compaction') || type === 'message-add').slice(0, 3)).toEqual([
      'compaction-start',
      'message-add',
      'message-add',
    ])
    expect(read).toEqual([['summary They said “first”.', 'user second']])
    const rows = [...stored, ...journal.facts.flatMap((fact): Message[] => (fact.kind === 'message' ? [fact.message] : []))]
    expect(rows).toHaveLength(5)
    const model = ScriptedModel.echo()
    await createAgent({ model }).stream({ messages: [...rows, 'third'] }).result
    const texts = model.calls[0]!.prompt.map(({ role, content }) => [role, ...(content as { text: string }[]).map((part) => part.text)])
    expect(texts).toEqual([
      ['user', 'They said “first”.', 'second'],
      ['assistant', 'so'],
      ['user', 'third'],
    ])
  })

  it.each([
    ['covers what is not there', () => covering('m0', 'm1')],
    ['covers backwards', (ids: string[]) => covering(ids[1]!, ids[0]!)],
    ['tears a result from its answer', (ids: string[]) => covering(ids[0]!, ids[1]!)],
  ])('that %s fails the turn and says so', async (_what, of) => {
    const runtime = runtimeOf(async function* (turn) {
      yield ask('c1')
      await turn.tools.call({ callId: 'c1', name: 'ready', input: {} })
      yield of(turn.messages.map((message) => message.id))
    })
    const { outcome } = await runTurn(runtime, { messages: 'go', tools: [ready] }).result
    expect(outcome).toMatchObject({ status: 'failed', failure: { message: expect.stringContaining('a summary that cannot be placed') } })
  })
})

// engine-api G6
describe('events that only pass', () => {
  it('are shown as they are, and a sub-agent’s words stay inside', async () => {
    const passing: RuntimeEvent[] = [
      { type: 'model-change', from: model, to: { provider: 'p', model: 'other' }, failure: { reason: 'overloaded', message: 'busy' } },
      { type: 'notice-post', code: 'fallback', values: { model: 'other' } },
      { type: 'agent-event', agent: { id: 'a1', goal: 'search', depth: 1 }, event: { type: 'text-delta', id: '0', text: 'child' } },
      { type: 'agent-event', agent: { id: 'a1', goal: 'search', depth: 1 }, event: { type: 'text-delta', id: '0', text: ' words' } },
    ]
    const { run, journal } = playing([...passing, say('so')])
    const events = await eventsOf(run)
    // Read behind the end, deltas are joined, those of a sub-agent as well.
    await run.result
    const late = await eventsOf(run)
    expect(
      events
        .filter((event) => event.type === 'agent-event')
        .map((event) => 'text' in event.event && event.event.text)
        .join(''),
    ).toBe('child words')
    const words = { ...passing[2], event: { type: 'text-delta', id: '0', text: 'child words' } }
    expect(late.filter((event) => passing.some(({ type }) => type === event.type))).toEqual([...passing.slice(0, 2), words])
    expect(events.filter((event) => event.type === 'text-delta')).toEqual([])
    expect(journal.writes).toEqual(['message user', 'message assistant', 'end completed'])
  })
})
