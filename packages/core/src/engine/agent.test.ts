import { defineTool, HermesError } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { expectAlternation, expectSamePrefix, FakeClock, ScriptedModel } from '../testing/index.js'
import { createAgent } from './index.js'
import { eventsOf, linesOf, RecordingJournal, seen } from './recorded-turns.js'

const look = defineTool({ name: 'look', description: 'Looks.', input: z.object({ at: z.string() }), readOnly: true, run: ({ at }) => `saw ${at}` })
const call = (name: string, input = {}, id?: string) => ({ toolCall: { name, input, id } })

describe('createAgent', () => {
  // engine-api 12: round trip and order of events · engine-api G2
  it('answers with a tool, and shows every step in order', async () => {
    const model = new ScriptedModel([[{ text: 'let me ' }, call('look', { at: 'sky' }, 'c1')], 'it is blue'])
    const run = createAgent({ model, instructions: 'Be brief.', tools: [look] }).stream({ messages: 'what colour?' })
    const { outcome, messages } = await run.result
    expect(outcome).toMatchObject({ status: 'completed', text: 'it is blue', steps: 2, usage: { input: 20, output: 10 } })
    expect(linesOf(messages)).toEqual(['user what colour?', 'assistant let me  look()', 'tool ok saw sky', 'assistant it is blue'])
    const events = await eventsOf(run)
    expect(events.map((event) => event.type)).toEqual([
      'turn-start',
      'step-start',
      'text-delta',
      'text-end',
      'tool-input-start',
      'step-end',
      'message-add',
      'message-add',
      'tool-start',
      'tool-end',
      'step-start',
      'text-delta',
      'text-end',
      'step-end',
      'message-add',
      'turn-end',
    ])
  })

  // engine 1
  it('keeps system, tools and earlier messages byte-equal over turns, and roles alternate', async () => {
    const model = new ScriptedModel([[call('look', { at: 'a' }, 'c1')], 'one', [call('look', { at: 'b' }, 'c2')], 'two'])
    const zoom = defineTool({
      name: 'a-zoom',
      description: 'Zooms.',
      input: { type: 'object', properties: { by: { type: 'number' } } },
      run: () => '',
    })
    const agent = createAgent({ model, instructions: 'System.', tools: [look, zoom] })
    const first = await agent.stream({ messages: 'first' }).result
    const second = await agent.stream({ messages: [...first.messages, 'second'] }).result
    expect(second.outcome.text).toBe('two')
    expect(model.calls[0]?.tools?.map((tool) => tool.name)).toEqual(['a-zoom', 'look'])
    for (let index = 1; index < model.calls.length; index++) expectSamePrefix(model.calls[index - 1]!, model.calls[index]!)
    expectAlternation(second.messages)
    for (const { prompt } of model.calls) expectAlternation(prompt)
  })

  // engine 2 · engine-api R2
  it('gives the model the results of a batch in the order of the calls, whatever ended first', async () => {
    const ended: string[] = []
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (release = resolve))
    const step = defineTool({
      name: 'step',
      description: 'Takes a step.',
      input: z.object({ id: z.string() }),
      readOnly: true,
      async run({ id }) {
        if (id === '2') await gate
        if (id === '3') release()
        ended.push(id)
        return id
      },
    })
    const model = new ScriptedModel([[call('step', { id: '1' }), call('step', { id: '2' }), call('step', { id: '3' })], 'done'])
    const { messages } = await createAgent({ model, tools: [step] }).stream({ messages: 'go' }).result
    expect(ended).toEqual(['1', '3', '2'])
    expect(linesOf(messages).slice(2, 5)).toEqual(['tool ok 1', 'tool ok 2', 'tool ok 3'])
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
      role: 'tool',
      content: [{ output: { value: '1' } }, { output: { value: '2' } }, { output: { value: '3' } }],
    })
  })

  // engine 4 · engine-api 12: out of steps
  it('asks once more for a summary when the steps are used up, without letting it call tools', async () => {
    const model = new ScriptedModel((options) =>
      options.toolChoice?.type === 'none' ? [{ text: 'did two' }, call('look', { at: 'z' })] : [call('look', { at: 'x' })],
    )
    const { outcome, messages } = await createAgent({ model, tools: [look], maxSteps: 2 }).stream({ messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'stopped', limit: 'steps', text: 'did two', steps: 3 })
    expect(model.calls).toHaveLength(3)
    expectSamePrefix(model.calls[1]!, model.calls[2]!)
    expect(linesOf(messages).filter((line) => line.startsWith('user'))).toEqual(['user go'])
    expect(linesOf(messages).at(-1)).toBe('assistant did two')
  })

  it('ends a turn without a further request when every result of a batch says so', async () => {
    const end = defineTool({
      name: 'end',
      description: 'Ends.',
      input: z.object({}),
      run: () => ({ parts: [{ type: 'text', text: 'bye' }], endsTurn: true }),
    })
    const model = new ScriptedModel([[{ text: 'closing' }, call('end')]])
    const { outcome } = await createAgent({ model, tools: [end] }).stream({ messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'completed', text: 'closing', steps: 1 })
  })

  it('says that an answer was cut off at its length', async () => {
    const model = new ScriptedModel([[{ text: 'too lo' }, { finish: 'length' }]])
    const { outcome } = await createAgent({ model }).stream({ messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'stopped', limit: 'length', text: 'too lo' })
  })

  // engine-api 12: note during a tool · engine-api R8
  it('takes a note to the next request once, after the results, and keeps it there', async () => {
    const attended: boolean[] = []
    const wait = defineTool({
      name: 'wait',
      description: 'Waits for attention.',
      input: z.object({}),
      async run(_input, { attention }) {
        if (!attention.aborted) await new Promise((resolve) => attention.addEventListener('abort', resolve))
        attended.push(attention.aborted)
        return 'woken'
      },
    })
    const model = new ScriptedModel([[call('wait', {}, 'c1')], [call('look', { at: 'x' }, 'c2')], 'done'])
    const run = createAgent({ model, tools: [wait, look] }).stream({ messages: 'go' })
    await seen(run, 'tool-start')
    expect(run.steer('hurry')).toBe(true)
    const { messages, undelivered } = await run.result
    expect(attended).toEqual([true])
    expect(undelivered).toEqual([])
    expect(linesOf(messages)).toEqual([
      'user go',
      'assistant wait()',
      'tool ok woken',
      'user hurry',
      'assistant look()',
      'tool ok saw x',
      'assistant done',
    ])
    expect(model.calls[1]?.prompt.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'hurry' }] })
    expectSamePrefix(model.calls[1]!, model.calls[2]!)
  })

  // engine-api 12: late note
  it('gives back a note that came too late for the model', async () => {
    const clock = new FakeClock()
    const model = new ScriptedModel([[{ text: 'a' }, { delayMs: 10 }, { text: 'b' }]], { clock })
    const run = createAgent({ model }).stream({ messages: 'go' })
    await clock.slept()
    run.steer('wait')
    await clock.advance(10)
    const { undelivered, messages } = await run.result
    expect(linesOf(undelivered)).toEqual(['user wait'])
    expect(linesOf(messages)).toEqual(['user go', 'assistant a b'])
    expect(run.steer('later')).toBe(false)
  })

  // engine-api 12: model throws
  it('fails as a result, with the failure and without a text', async () => {
    const model = new ScriptedModel(() => {
      throw new TypeError('bug')
    })
    const { outcome } = await createAgent({ model }).stream({ messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'failed', text: '', failure: { reason: 'runtime', message: 'bug' } })
  })

  it('takes an answer without words as the end', async () => {
    const { outcome } = await createAgent({ model: new ScriptedModel([[]]) }).stream({ messages: 'go' }).result
    expect(outcome).toMatchObject({ status: 'completed', text: '' })
  })

  it('asks instructions that are a function for the lane, and takes system in their place', async () => {
    const model = ScriptedModel.echo()
    const agent = createAgent({ model, instructions: ({ lane }) => Promise.resolve(`You are in ${lane}.`) })
    await agent.stream({ messages: 'x', lane: 'lane-1' }).result
    await agent.stream({ messages: 'x', system: 'Other.' }).result
    expect(model.calls.map(({ prompt }) => prompt[0])).toEqual([
      { role: 'system', content: 'You are in lane-1.' },
      { role: 'system', content: 'Other.' },
    ])
  })

  it('writes the question, the answer before its calls, intents before runs, results at once, and the last answer with the end', async () => {
    const journal = new RecordingJournal()
    const model = new ScriptedModel([[call('look', { at: 'x' }, 'c1')], 'done'])
    await createAgent({ model, tools: [look] }).stream({ messages: 'go', journal }).result
    expect(journal.writes).toEqual(['message user', 'message assistant', 'intent c1', 'result c1', 'message assistant', 'end completed'])
  })
})

describe('bad input', () => {
  it.each([
    ['an unknown option', { maxStep: 3 }, 'maxStep: unknown option (did you mean maxSteps?)'],
    ['an unknown retry option', { retry: { attempt: 1 } }, 'retry.attempt'],
    ['a name in place of a model', { model: 'gpt' }, 'specification v2, v3 or v4, and this is a text'],
    ['a model that is none', { model: {} }, 'model: must be an AI SDK language model of specification v2, v3 or v4'],
    ['a model of another version', { model: { specificationVersion: 'v1', doStream: () => undefined } }, 'this one is of v1: install'],
    ['steps that are no number', { maxSteps: '3' }, 'maxSteps'],
  ])('refuses %s', (_what, options, message) => {
    expect(() => createAgent({ model: ScriptedModel.echo(), ...options } as never)).toThrow(message)
  })

  it('refuses two tools of one name, and messages with nothing to answer', async () => {
    const model = ScriptedModel.echo()
    expect(() => createAgent({ model, tools: [look, { ...look }] })).toThrow(expect.objectContaining({ code: 'name.taken' }))
    const agent = createAgent({ model, tools: [look] })
    expect(() => agent.stream({ messages: 'x', tools: [{ ...look }] })).toThrow(expect.objectContaining({ code: 'name.taken' }))
    expect(() => agent.stream({ messages: [] })).toThrow(expect.objectContaining({ code: 'value.invalid' }))
    const { messages } = await agent.stream({ messages: 'x', tools: [look] }).result
    expect(() => agent.stream({ messages })).toThrow(HermesError)
    expect(() => agent.stream({ messages: ['x', ...messages] })).toThrow('texts come after all messages')
  })

  // engine 16
  it.each([
    [{ type: 'object', parameters: [] }],
    [{ type: 'object', properties: [] }],
    [{ type: 'string' }],
    [[]],
    [z.string()],
    [z.object({ at: z.date() })],
  ])('refuses at registration a tool whose input is %j, and names it', (input) => {
    expect(() => createAgent({ model: ScriptedModel.echo(), tools: [{ ...look, name: 'odd', input } as never] })).toThrow(/tool "odd"/i)
  })

  it('takes a text of 1 MB and unpaired surrogates', async () => {
    const model = ScriptedModel.echo()
    const { outcome } = await createAgent({ model }).stream({ messages: `${'x'.repeat(1_000_000)}\ud83d` }).result
    expect(outcome.text).toHaveLength(1_000_001)
    expect(outcome.text.endsWith('\ufffd')).toBe(true)
  })
})

describe('a mistake of the caller', () => {
  it('with two tools of one name is told whose they are', () => {
    const twin = { ...look, description: 'Another.' }
    expect(() => createAgent({ model: ScriptedModel.echo(), tools: [look, twin] })).toThrow(/named "look": one of agent agent, one of agent agent/)
  })

  it.each([
    ['messages of another library', [{ role: 'user', content: 'hi' }]],
    ['parts that are no list', [{ role: 'user', id: 'm', parts: 'x' }]],
    ['a role that does not exist', [{ role: 'system', id: 'm', parts: [] }]],
    ['nothing where a message should be', [null]],
    ['an empty text', '  '],
  ])('with %s is told so', (_what, messages) => {
    expect(() => createAgent({ model: ScriptedModel.echo() }).stream({ messages: messages as never })).toThrow(/cannot use these messages/)
  })
})
