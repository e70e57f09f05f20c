import { defineTool, type CallId, type RuntimeEvent } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FakeClock, ScriptedModel } from '../testing/index.js'
import { createAgent, runTurn } from './index.js'
import { eventsOf, linesOf, RecordingJournal, runtimeOf, seen } from './recorded-turns.js'

const model = { provider: 'p', model: 'm' }
const call = (name: string, id: string) => ({ toolCall: { name, input: {}, id } })
const ready = defineTool({ name: 'ready', description: 'Is ready.', input: z.object({}), run: () => 'done' })

/** A tool that ends when it is told to stop, or (deaf) never. */
function hanging(name: string, isDeaf = false, more: { replay?: 'safe' } = {}) {
  return defineTool({
    name,
    description: 'Hangs.',
    input: z.object({}),
    ...more,
    run: (_input, { signal }) =>
      new Promise<string>((_resolve, reject) => {
        if (!isDeaf) signal.addEventListener('abort', () => reject(new Error('aborted')))
      }),
  })
}

describe('a stop', () => {
  // engine 5 · engine-api 12: stop in a hanging model · engine-api R1
  it('ends a turn whose model hangs in the middle of an answer, and stores nothing of it', async () => {
    const journal = new RecordingJournal()
    const run = createAgent({ model: new ScriptedModel([[{ text: 'half' }, { hang: true }]]) }).stream({
      messages: 'go',
      journal,
      clock: new FakeClock(),
    })
    await seen(run, 'text-delta')
    run.stop()
    const { outcome, messages } = await run.result
    expect(outcome).toMatchObject({ status: 'interrupted', text: '', stop: { kind: 'stop', abandons: true } })
    expect(linesOf(messages)).toEqual(['user go'])
    expect(journal.writes).toEqual(['message user', 'end interrupted'])
  })

  it('ends a turn whose model never answers and ignores the signal, after the grace', async () => {
    const clock = new FakeClock()
    const model = Object.assign(ScriptedModel.echo(), { doStream: () => new Promise<never>(() => undefined) })
    const run = createAgent({ model }).stream({ messages: 'go', clock })
    await seen(run, 'step-start')
    run.stop()
    expect(await clock.slept()).toBe(500)
    await clock.advance(500)
    expect((await run.result).outcome.status).toBe('interrupted')
  })

  it('comes by the signal of the caller, too, also before the turn began', async () => {
    const model = ScriptedModel.echo()
    const { outcome, messages } = await createAgent({ model }).stream({ messages: 'go', signal: AbortSignal.abort(new Error('closed')) }).result
    expect(linesOf(messages)).toEqual(['user go'])
    expect(outcome).toMatchObject({ status: 'interrupted', steps: 0, stop: { kind: 'stop' } })
    expect(model.calls).toEqual([])
  })

  // engine-api 12: stop in a batch · engine-api R3
  it('in a batch keeps what ended, interrupts what runs, skips the rest, and asks the model no more', async () => {
    const model = new ScriptedModel([[call('ready', 'c1'), call('hang', 'c2'), call('ready', 'c3')]])
    const journal = new RecordingJournal()
    const run = createAgent({ model, tools: [ready, hanging('hang')] }).stream({ messages: 'go', journal, clock: new FakeClock() })
    for await (const event of run.events) if (event.type === 'tool-start' && event.callId === 'c2') break
    run.stop()
    const { messages, outcome } = await run.result
    expect(linesOf(messages).slice(2)).toEqual([
      'tool ok done',
      'tool interrupted Interrupted: it was told to stop. It may have had effects.',
      'tool skipped Not run: the turn ended before this call began.',
    ])
    expect(outcome.status).toBe('interrupted')
    expect(model.calls).toHaveLength(1)
    expect(journal.writes.slice(-3)).toEqual(['result c2', 'result c3', 'end interrupted'])
  })

  it('waits for a deaf tool only as long as the grace, and its late result changes nothing', async () => {
    const clock = new FakeClock()
    let finish: (text: string) => void = () => undefined
    const deaf = defineTool({ name: 'deaf', description: 'D.', input: z.object({}), run: () => new Promise<string>((resolve) => (finish = resolve)) })
    const journal = new RecordingJournal()
    const run = createAgent({ model: new ScriptedModel([[call('deaf', 'c1')]]), tools: [deaf] }).stream({ messages: 'go', journal, clock })
    await clock.slept()
    run.stop()
    expect(await clock.slept()).toBe(500)
    await clock.advance(500)
    const { messages } = await run.result
    const writes = [...journal.writes]
    finish('late')
    await new Promise((resolve) => setImmediate(resolve))
    expect(linesOf(messages).at(-1)).toBe('tool interrupted Interrupted: this call had begun when it was told to stop. It may have had effects.')
    expect(journal.writes).toEqual(writes)
    expect((await eventsOf(run)).filter((event) => event.type === 'tool-end')).toHaveLength(1)
  })

  // engine-api 12: runtime deaf to the signal · engine-api G1, G5
  it('cuts off a runtime that is deaf: late events and calls change nothing, and its generator is returned', async () => {
    const clock = new FakeClock()
    let wake: () => void = () => undefined
    const log: string[] = []
    const runtime = runtimeOf(async function* (turn): AsyncGenerator<RuntimeEvent> {
      try {
        yield { type: 'step-start', model: { provider: 'p', model: 'm' } }
        await new Promise<void>((resolve) => (wake = resolve))
        log.push((await turn.tools.call({ callId: 'c1', name: 'ready', input: {} })).status)
        yield { type: 'text-delta', id: '0', text: 'late' }
        log.push('went on')
      } finally {
        log.push('returned')
      }
    })
    const run = runTurn(runtime, { messages: 'go', tools: [ready], clock })
    await seen(run, 'step-start')
    run.stop('reset')
    await clock.slept()
    await clock.advance(500)
    const { outcome, messages } = await run.result
    wake()
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
    expect(log).toEqual(['skipped', 'returned'])
    expect(outcome).toMatchObject({ status: 'interrupted', stop: { kind: 'reset' } })
    expect(messages).toHaveLength(1)
    expect((await eventsOf(run)).map((event) => event.type)).toEqual(['turn-start', 'step-start', 'message-add', 'turn-end'])
  })

  // engine-api G5
  it.each<[string, RuntimeEvent]>([
    ['delta', { type: 'text-delta', id: '0', text: 'late' }],
    ['step', { type: 'step-start', model }],
    ['answer', { type: 'message-add', message: { role: 'assistant', model, finish: 'stop', parts: [{ type: 'text', text: 'late' }] } }],
    ['state', { type: 'state-set', state: { cursor: 7 } }],
  ])('hears one thing more of the runtime within the grace, and takes of that only a state (%s)', async (what, late) => {
    const journal = new RecordingJournal()
    const log: string[] = []
    const runtime = runtimeOf(async function* (turn): AsyncGenerator<RuntimeEvent> {
      try {
        yield { type: 'step-start', model }
        await new Promise((resolve) => turn.signal.addEventListener('abort', resolve))
        yield late
        log.push('went on')
      } finally {
        log.push('returned')
      }
    })
    const run = runTurn(runtime, { messages: 'go', journal, clock: new FakeClock() })
    await seen(run, 'step-start')
    run.stop()
    await run.result
    const isState = what === 'state'
    expect(journal.writes).toEqual(['message user', ...(isState ? ['state'] : []), 'end interrupted'])
    const types = (await eventsOf(run)).map((event) => event.type)
    expect(types).toEqual(['turn-start', 'step-start', 'message-add', ...(isState ? ['state-set'] : []), 'turn-end'])
    expect(log).toEqual(['returned'])
  })

  // engine-api G5
  it('begins no tool within the grace: the call gets its closing result instead', async () => {
    const journal = new RecordingJournal()
    const callId = 'c1' as CallId
    let ran = false
    const runtime = runtimeOf(async function* (turn): AsyncGenerator<RuntimeEvent> {
      const parts = [{ type: 'tool-call', callId, name: 'ready', input: {} }] as const
      yield { type: 'message-add', message: { role: 'assistant', model, finish: 'tool-calls', parts } }
      await new Promise((resolve) => turn.signal.addEventListener('abort', resolve))
      await turn.tools.call({ callId, name: 'ready', input: {} })
    })
    const tool = { ...ready, run: () => String((ran = true)) }
    const run = runTurn(runtime, { messages: 'go', journal, tools: [tool], clock: new FakeClock() })
    for await (const event of run.events) if (event.type === 'message-add' && event.message.role === 'assistant') break
    run.stop()
    await run.result
    expect(ran).toBe(false)
    expect(journal.writes).toEqual(['message user', 'message assistant', 'result c1', 'end interrupted'])
    expect((await eventsOf(run)).map((event) => event.type)).not.toContain('tool-start')
  })

  // engine-api G5
  it('that comes while a held answer is being written shows no further step', async () => {
    const journal = new RecordingJournal()
    const runtime = runtimeOf(async function* (): AsyncGenerator<RuntimeEvent> {
      yield { type: 'step-start', model }
      yield { type: 'message-add', message: { role: 'assistant', model, finish: 'stop', parts: [{ type: 'text', text: 'one' }] } }
      yield { type: 'step-start', model }
    })
    const run = runTurn(runtime, { messages: 'go', journal })
    journal.onWrite = (name) => void (name === 'message assistant' && run.stop())
    await run.result
    expect((await eventsOf(run)).filter((event) => event.type === 'step-start')).toHaveLength(1)
  })

  // engine-api G5
  it('that comes while an intent is being written shows no start of its tool, and does not run it', async () => {
    const journal = new RecordingJournal()
    let ran = false
    const tool = { ...ready, run: () => String((ran = true)) }
    const run = createAgent({ model: new ScriptedModel([[call('ready', 'c1')]]), tools: [tool] }).stream({ messages: 'go', journal })
    journal.onWrite = (name) => void (name === 'intent c1' && run.stop())
    await run.result
    expect(ran).toBe(false)
    expect(journal.writes).toEqual(['message user', 'message assistant', 'intent c1', 'result c1', 'end interrupted'])
    expect((await eventsOf(run)).map((event) => event.type)).not.toContain('tool-start')
  })

  it('during the wait for a retry ends the turn at once', async () => {
    const clock = new FakeClock()
    const run = createAgent({ model: new ScriptedModel([[{ error: { status: 503 } }]]) }).stream({ messages: 'go', clock })
    await clock.slept()
    run.stop()
    expect((await run.result).outcome.status).toBe('interrupted')
    expect(clock.sleeping).toEqual([])
  })

  it('leaves no listener on the signal of the caller', async () => {
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => (listeners++, add(...args))
    signal.removeEventListener = (...args: Parameters<typeof remove>) => (listeners--, remove(...args))
    await createAgent({ model: ScriptedModel.echo() }).stream({ messages: 'go', signal }).result
    expect(listeners).toBe(0)
  })
})

describe('a shutdown', () => {
  it('parks the turn: nothing is closed, ended or shown as an end', async () => {
    const journal = new RecordingJournal()
    const run = createAgent({ model: new ScriptedModel([[{ text: 'half' }, { hang: true }]]) }).stream({
      messages: 'go',
      journal,
      clock: new FakeClock(),
    })
    await seen(run, 'text-delta')
    run.stop('shutdown')
    expect((await run.result).outcome).toMatchObject({ status: 'parked', stop: { kind: 'shutdown', abandons: false } })
    expect(journal.writes).toEqual([])
    expect((await eventsOf(run)).at(-1)?.type).toBe('text-delta')
  })

  // engine-api R3
  it('that comes while an intent is being written says of the call that it was not run, so that the next life can go on', async () => {
    const journal = new RecordingJournal()
    const run = createAgent({ model: new ScriptedModel([[call('ready', 'c1')]]), tools: [ready] }).stream({ messages: 'go', journal })
    journal.onWrite = (name) => void (name === 'intent c1' && run.stop('shutdown'))
    const { outcome, messages } = await run.result
    expect(outcome.status).toBe('parked')
    expect(journal.writes).toEqual(['message user', 'message assistant', 'intent c1', 'result c1'])
    expect(linesOf(messages).at(-1)).toBe('tool skipped Not run: the turn ended before this call began.')
  })

  it.each([
    ['leaves open a call that may be made again', 'safe', []],
    ['writes down that a call was interrupted which must not be', undefined, ['result c1']],
  ] as const)('%s', async (_what, replay, written) => {
    for (const isDeaf of [false, true]) {
      const clock = new FakeClock()
      const journal = new RecordingJournal()
      const tool = hanging('hang', isDeaf, replay ? { replay } : {})
      const run = createAgent({ model: new ScriptedModel([[call('hang', 'c1'), call('ready', 'c2')]]), tools: [tool, ready] }).stream({
        messages: 'go',
        journal,
        clock,
      })
      await clock.slept()
      run.stop('shutdown')
      await clock.slept()
      await clock.advance(500)
      expect((await run.result).outcome.status).toBe('parked')
      expect(journal.writes).toEqual(['message user', 'message assistant', 'intent c1', ...written])
    }
  })
})

describe('a journal that refuses', () => {
  // engine-api R11
  it('because the epoch is stale ends the turn quietly: no end is written, nothing more gets out', async () => {
    const journal = new RecordingJournal()
    journal.onWrite = (name) => void (name === 'intent c1' && (journal.refuses = 'stale'))
    let ran = false
    const tool = { ...ready, run: () => String((ran = true)) }
    const run = createAgent({ model: new ScriptedModel([[call('ready', 'c1')]]), tools: [tool] }).stream({ messages: 'go', journal })
    expect((await run.result).outcome).toMatchObject({ status: 'interrupted', stop: { kind: 'lost', abandons: false } })
    expect(ran).toBe(false)
    expect(journal.writes).toEqual(['message user', 'message assistant'])
    expect((await eventsOf(run)).at(-1)?.type).toBe('message-add')
  })

  // engine-api R11
  it('because the lane was stopped ends the turn as interrupted, without the answer that came too late', async () => {
    const journal = new RecordingJournal()
    journal.refuses = 'stopped'
    const run = createAgent({ model: ScriptedModel.echo() }).stream({ messages: 'go', journal })
    expect((await run.result).outcome).toMatchObject({ status: 'interrupted', text: '', stop: { kind: 'stop' } })
    expect(journal.writes).toEqual(['message user', 'end interrupted'])
    expect((await eventsOf(run)).map((event) => event.type)).not.toContain('message-add assistant')
    expect(linesOf((await run.result).messages)).toEqual(['user go'])
  })

  it('for another reason fails the turn, and an end that cannot be written is not shown', async () => {
    const journal = new RecordingJournal()
    journal.onWrite = (name) => {
      if (name === 'message assistant') throw new Error('disk on fire')
    }
    const run = createAgent({ model: ScriptedModel.echo() }).stream({ messages: 'go', journal })
    expect((await run.result).outcome).toMatchObject({ status: 'failed', failure: { reason: 'runtime', message: 'disk on fire' } })
    expect((await eventsOf(run)).map((event) => event.type)).not.toContain('turn-end')
  })
})
