import { defineTool, type AgentEvent, type Answer, type Message, type Question, type Tool } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeClock, ScriptedModel } from '../testing/index.js'
import { createAgent, runTurn, type AgentRun } from './index.js'
import { eventsOf, linesOf, RecordingJournal, runtimeOf, seen } from './recorded-turns.js'

const name: Question = { id: 'name', kind: 'text', text: 'What is your name?' }
const call = { toolCall: { name: 'tool', input: { at: 'noon' }, id: 'c1' } }
const ending = new Set<AgentEvent['type']>(['question-open', 'question-close', 'tool-start', 'tool-end', 'turn-end'])

function toolOf(more: Partial<Tool> & Pick<Tool, 'run'>) {
  return defineTool({ name: 'tool', description: 'T.', input: z.object({ at: z.string() }) as never, ...more })
}

/** A turn whose model calls the tool once and then says what came of it. */
function turnOf(tool: Tool, more: object = {}) {
  const journal = new RecordingJournal()
  const model = new ScriptedModel([[call], 'done'])
  const run = createAgent({ model, tools: [tool] }).stream({ messages: 'go', journal, canAnswer: true, ...more })
  return { run, journal, model }
}

/** Gives the answers in the order of the questions. */
async function answering(run: AgentRun, ...answers: Answer[]): Promise<string[]> {
  const types: string[] = []
  for await (const event of run.events) {
    if (event.type === 'question-open') run.answer(event.question.id, answers.shift()!)
    if (ending.has(event.type)) types.push(event.type)
  }
  return types
}

const asksName = toolOf({
  replay: 'safe',
  async run(_input, { ask }) {
    const answer = await ask(name)
    return answer.kind === 'text' ? `Hello, ${answer.text}.` : `No name: ${answer.kind}.`
  },
})

describe('a question of a tool', () => {
  it('waits for its answer, which is stored before the tool gets it', async () => {
    const { run, journal } = turnOf(asksName)
    expect(await answering(run, { kind: 'text', text: 'Ada' })).toEqual(['tool-start', 'question-open', 'question-close', 'tool-end', 'turn-end'])
    expect(linesOf((await run.result).messages)).toContain('tool ok Hello, Ada.')
    expect(journal.writes).toEqual([
      'message user',
      'message assistant',
      'intent c1',
      'question c1/name',
      'answer c1/name',
      'result c1',
      'message assistant',
      'end completed',
    ])
  })

  // engine-api 12: answer given synchronously while the question opens
  it('may be answered while it is still being written', async () => {
    const { run, journal } = turnOf(asksName)
    const taken: boolean[] = []
    journal.onWrite = (write) => {
      if (write === 'question c1/name') taken.push(run.answer('c1/name', { kind: 'text', text: 'Ada' }))
    }
    const types = (await eventsOf(run)).map((event) => event.type).filter((type) => ending.has(type))
    expect(taken).toEqual([true])
    expect(types).toEqual(['tool-start', 'question-open', 'question-close', 'tool-end', 'turn-end'])
    expect(linesOf((await run.result).messages)).toContain('tool ok Hello, Ada.')
  })

  it('is unanswered at once where nobody can answer, and shown to nobody', async () => {
    const { run, journal } = turnOf(asksName, { canAnswer: undefined })
    expect((await eventsOf(run)).map((event) => event.type)).not.toContain('question-open')
    expect(linesOf((await run.result).messages)).toContain('tool ok No name: unanswered.')
    expect(journal.writes).not.toContain('question c1/name')
  })

  it('is unanswered when the time for an answer is over', async () => {
    const clock = new FakeClock()
    const { run } = turnOf(asksName, { clock, questionTimeoutMs: 60_000 })
    await seen(run, 'question-open')
    await clock.advance(60_000)
    expect((await seen(run, 'question-close')).answer).toEqual({ kind: 'unanswered', why: 'timeout' })
    expect((await run.result).outcome.status).toBe('completed')
  })

  it('costs the tool none of its time', async () => {
    const clock = new FakeClock()
    const slow = toolOf({
      timeoutMs: 1_000,
      async run(_input, { ask, signal }) {
        await ask(name)
        await clock.sleep(900, signal)
        return 'in time'
      },
    })
    const { run } = turnOf(slow, { clock })
    await seen(run, 'question-open')
    await clock.advance(1_000_000)
    run.answer('c1/name', { kind: 'text', text: 'Ada' })
    await seen(run, 'question-close')
    for (let step = 0; step < 9; step++) {
      await new Promise((resolve) => setImmediate(resolve))
      await clock.advance(100)
    }
    expect(linesOf((await run.result).messages)).toContain('tool ok in time')
  })

  it('is unanswered when the turn is stopped, and closed in the journal', async () => {
    const { run, journal } = turnOf(asksName)
    await seen(run, 'question-open')
    run.stop()
    expect((await seen(run, 'question-close')).answer).toEqual({ kind: 'unanswered', why: 'stopped' })
    expect((await run.result).outcome.status).toBe('interrupted')
    expect(journal.writes).toContain('answer c1/name')
    expect(run.answer('c1/name', { kind: 'text', text: 'Ada' })).toBe(false)
  })

  it('is asked once for each id, and everybody who asks gets the answer', async () => {
    const asks = toolOf({ run: async (_input, { ask }) => JSON.stringify(await Promise.all([ask(name), ask(name).then(() => ask(name))])) })
    const { run, journal } = turnOf(asks)
    await answering(run, { kind: 'text', text: 'Ada' })
    expect(journal.writes.filter((write) => write.startsWith('question'))).toEqual(['question c1/name'])
    expect(linesOf((await run.result).messages)[2]).toBe('tool ok [{"kind":"text","text":"Ada"},{"kind":"text","text":"Ada"}]')
  })

  it.each([
    ['without an id', { ...name, id: '' }, 'its id'],
    ['of no kind', { ...name, kind: 'riddle' }, 'its kind'],
    ['without a text', { ...name, text: undefined }, 'its text'],
    ['that offers nothing to choose from', { ...name, kind: 'choice' }, 'its choices'],
    ['that is null', null, 'its id'],
  ])('%s is refused', async (_what, question, issue) => {
    const { run } = turnOf(toolOf({ run: async (_input, { ask }) => JSON.stringify(await ask(question as Question)) }))
    expect(linesOf((await run.result).messages)[2]).toContain(`This question cannot be asked: ${issue}`)
  })

  it('takes only an answer of its kind', async () => {
    const { run } = turnOf(asksName)
    await seen(run, 'question-open')
    const wrong: unknown[] = [{ kind: 'approved' }, { kind: 'text' }, { kind: 'perhaps' }, null]
    expect(wrong.map((answer) => run.answer('c1/name', answer as Answer))).toEqual([false, false, false, false])
    expect(run.answer('c1', { kind: 'text', text: 'Ada' })).toBe(false)
    expect(run.answer('c1/name', { kind: 'denied' })).toBe(true)
    expect(run.answer('c1/name', { kind: 'denied' })).toBe(false)
    expect(linesOf((await run.result).messages)).toContain('tool ok No name: denied.')
  })
})

describe('a question of a runtime', () => {
  it('is answered as that of a tool is, under the id that it gives', async () => {
    const answers: Answer[] = []
    const runtime = runtimeOf(async function* (turn) {
      answers.push(await turn.ask({ ...name, id: 'thread' }))
      yield { type: 'state-set', state: null }
    })
    const run = runTurn(runtime, { messages: 'go', canAnswer: true })
    await answering(run, { kind: 'text', text: 'Ada' })
    expect(answers).toEqual([{ kind: 'text', text: 'Ada' }])
  })

  it('that it does not wait for is closed with the turn', async () => {
    const runtime = runtimeOf(async function* (turn) {
      void turn.ask(name)
      await new Promise((resolve) => setImmediate(resolve))
      yield { type: 'state-set', state: null }
    })
    const types = (await eventsOf(runTurn(runtime, { messages: 'go', canAnswer: true }))).map((event) => event.type)
    expect(types.filter((type) => ending.has(type))).toEqual(['question-open', 'question-close', 'turn-end'])
  })
})

// engine-api 12: denial with reason
describe('a tool that needs approval', () => {
  const calls: string[] = []
  const guarded = (approval: Tool['approval']) => toolOf({ approval, run: () => (calls.push('ran'), 'ran') })

  it('starts when a person approves, under the id of its call', async () => {
    const { run, journal } = turnOf(guarded('always'))
    const opened = seen(run, 'question-open')
    expect(await answering(run, { kind: 'approved' })).toEqual(['question-open', 'question-close', 'tool-start', 'tool-end', 'turn-end'])
    expect((await opened).question).toEqual({
      id: 'c1',
      kind: 'approval',
      text: 'May the tool tool run?',
      detail: '{\n  "at": "noon"\n}',
    })
    expect(journal.writes.slice(2, 6)).toEqual(['question c1', 'answer c1', 'intent c1', 'result c1'])
  })

  it.each([
    ['a person refuses', { kind: 'denied', reason: 'too early' }, 'a person refused it and said: "too early".'],
    ['nobody answers in time', { kind: 'unanswered', why: 'timeout' }, 'Silence is not consent.'],
  ] as const)('is denied when %s, and the model reads why', async (_what, answer, said) => {
    calls.length = 0
    const { run, model, journal } = turnOf(guarded('always'))
    await answering(run, answer)
    expect(calls).toEqual([])
    expect(linesOf((await run.result).messages)[2]).toMatch(/^tool denied Not run: /)
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toContain(JSON.stringify(said).slice(1, -1))
    expect(journal.writes).not.toContain('intent c1')
  })

  it('is denied where nobody is there to be asked', async () => {
    const { run } = turnOf(guarded('always'), { canAnswer: false })
    expect(linesOf((await run.result).messages)[2]).toContain('tool denied Not run: it needs the approval of a person, and nobody is there')
  })

  it('decides by its input', async () => {
    const approval = (input: unknown): Question | undefined =>
      (input as { at: string }).at === 'noon' ? { id: 'ignored', kind: 'approval', text: 'At noon?', detail: 'Lunch.' } : undefined
    const { run } = turnOf(guarded(approval))
    const opened = seen(run, 'question-open')
    await answering(run, { kind: 'approved' })
    expect((await opened).question).toEqual({ id: 'c1', kind: 'approval', text: 'At noon?', detail: 'Lunch.' })
    const other = createAgent({ model: new ScriptedModel([[{ toolCall: { name: 'tool', input: { at: 'one' } } }], 'x']), tools: [guarded(approval)] })
    expect(linesOf((await other.stream({ messages: 'go' }).result).messages)).toContain('tool ok ran')
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('rule broken')
      },
      'rule broken',
    ],
    ['gives no question', () => true, 'it cannot be asked'],
  ])('does not start when its rule %s', async (_what, approval, said) => {
    calls.length = 0
    const { run } = turnOf(guarded(approval as never))
    expect(linesOf((await run.result).messages)[2]).toMatch(new RegExp(`^tool error .*its approval failed: .*${said}`))
    expect(calls).toEqual([])
  })

  it('keeps those that it conflicts with waiting, and no other', async () => {
    const free = defineTool({ name: 'free', description: 'F.', input: z.object({}), parallel: () => [], run: () => 'free' })
    const claiming: Pick<Tool, 'parallel'> = { parallel: () => [{ resource: 'r', access: 'write' }] }
    const first = toolOf({ ...claiming, approval: 'always', run: () => 'first' })
    const second = defineTool({ name: 'second', description: 'S.', input: z.object({}), ...claiming, run: () => 'second' })
    const batch = [call, { toolCall: { name: 'second', input: {}, id: 'c2' } }, { toolCall: { name: 'free', input: {}, id: 'c3' } }]
    const run = createAgent({ model: new ScriptedModel([batch, 'done']), tools: [first, second, free] }).stream({ messages: 'go', canAnswer: true })
    expect((await seen(run, 'tool-end')).message.name).toBe('free')
    run.answer('c1', { kind: 'approved' })
    const ends = (await eventsOf(run)).flatMap((event) => (event.type === 'tool-end' ? [event.message.name] : []))
    expect(ends).toEqual(['free', 'tool', 'second'])
  })
})

describe('a question over a restart', () => {
  /** Ends the first life while the question is open, and begins the next on what it stored. */
  async function nextLife(tool: Tool, between: (journal: RecordingJournal) => void = () => undefined) {
    const first = turnOf(tool)
    const { question } = await seen(first.run, 'question-open')
    first.run.stop('shutdown')
    const { outcome } = await first.run.result
    between(first.journal)
    const messages = first.journal.facts.flatMap((fact): Message[] => (fact.kind === 'message' ? [fact.message] : []))
    const intents = first.journal.facts.flatMap((fact) => (fact.kind === 'intent' ? [{ ...fact, turn: messages[0]!.turn }] : []))
    const model = new ScriptedModel(['done'])
    const run = createAgent({ model, tools: [tool] }).stream({ messages, intents, journal: first.journal, canAnswer: true })
    return { outcome, question, model, run, journal: first.journal }
  }

  // engine-api 12: approval over a restart · engine-api R4
  it('is asked again while it has no answer, without a second model call for the tool', async () => {
    const tool = toolOf({ approval: 'always', run: () => 'ran' })
    const { outcome, question, model, run, journal } = await nextLife(tool)
    expect(outcome.status).toBe('parked')
    expect(journal.writes).not.toContain('answer c1')
    expect((await seen(run, 'question-open')).question).toEqual(question)
    await answering(run, { kind: 'approved' })
    expect((await run.result).outcome).toMatchObject({ status: 'completed', text: 'done', steps: 2 })
    expect(model.calls).toHaveLength(1)
  })

  // engine-api 12: approval over a restart · engine-api R4
  it('is not asked again when its answer was stored, and the call starts', async () => {
    const { run, model } = await nextLife(toolOf({ approval: 'always', run: () => 'ran' }), (journal) => {
      journal.facts.push({ kind: 'answer', id: 'c1', answer: { kind: 'approved' } })
    })
    expect((await eventsOf(run)).map((event) => event.type)).not.toContain('question-open')
    expect(linesOf((await run.result).messages)).toContain('tool ok ran')
    expect(model.calls).toHaveLength(1)
  })

  // engine-api 12: question inside a replayable tool over a restart
  it('of a running tool that may be called again is answered in the next life', async () => {
    const { outcome, run } = await nextLife(asksName)
    expect(outcome.status).toBe('parked')
    await answering(run, { kind: 'text', text: 'Ada' })
    expect(linesOf((await run.result).messages)).toContain('tool ok Hello, Ada.')
  })

  it('of a running tool that must not be called again ends with this life', async () => {
    const once = toolOf({ run: async (_input, { ask }) => `asked: ${(await ask(name)).kind}` })
    const { outcome, run } = await nextLife(once)
    expect(outcome.status).toBe('parked')
    expect((await run.result).outcome).toMatchObject({ status: 'completed', text: 'done' })
    expect(linesOf((await run.result).messages)[2]).toBe('tool ok asked: unanswered')
  })
})
