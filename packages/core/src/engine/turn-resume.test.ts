import { defineTool, type Message } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ScriptedModel } from '../testing/index.js'
import { createAgent } from './index.js'
import { linesOf, RecordingJournal } from './recorded-turns.js'

const stamp = (id: string) => ({ id: id as never, turn: 'turn-1' as never, at: 1 })
const question: Message = { ...stamp('m1'), role: 'user', origin: 'person', parts: [{ type: 'text', text: 'go' }] }
const answer = (...names: string[]): Message => ({
  ...stamp('m2'),
  role: 'assistant',
  model: { provider: 'p', model: 'm' },
  finish: 'tool-calls',
  usage: { input: 100, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
  parts: names.map((name, index) => ({ type: 'tool-call', callId: `c${index + 1}` as never, name, input: {} })),
})
const result = (callId: string, more = {}): Message => ({
  ...stamp(`r${callId}`),
  role: 'tool',
  callId: callId as never,
  name: 'write',
  status: 'ok',
  parts: [{ type: 'text', text: callId }],
  ...more,
})
const intent = (callId: string, name: string) => ({ turn: 'turn-1' as never, callId, name, input: {} })

/** A next life: which calls it made, what it wrote, what came of it. */
async function nextLife(
  stored: readonly Message[],
  intents: readonly ReturnType<typeof intent>[] = [],
  more: { signal?: AbortSignal; maxSteps?: number; journal?: RecordingJournal } = {},
) {
  const calls: string[] = []
  const tool = (name: string, extra: object) =>
    defineTool({ name, description: 'T.', input: z.object({}), ...extra, run: () => (calls.push(name), `${name} again`) })
  const tools = [tool('write', {}), tool('look', { readOnly: true }), tool('put', { replay: 'safe' })]
  const { journal = new RecordingJournal() } = more
  const model = new ScriptedModel(() => 'done')
  const run = createAgent({ model, tools }).stream({ ...more, messages: stored, intents, journal })
  const { outcome, messages } = await run.result
  return { calls, journal, model, outcome, lines: linesOf(messages) }
}

// engine-api R4 · engine-api 12: death in a tool · engine-api R3
describe('the next life of a turn', () => {
  it('makes a call that has no intent, before the model is asked', async () => {
    const { calls, journal, model, outcome } = await nextLife([question, answer('write')])
    expect(calls).toEqual(['write'])
    expect(journal.writes).toEqual(['intent c1', 'result c1', 'message assistant', 'end completed'])
    expect(model.calls).toHaveLength(1)
    expect(outcome).toMatchObject({ status: 'completed', text: 'done', steps: 2, usage: { input: 110 } })
  })

  it.each(['look', 'put'])('makes a call again that had begun and may be repeated (%s), on the intent that stands', async (name) => {
    const { calls, journal } = await nextLife([question, answer(name)], [intent('c1', name)])
    expect(calls).toEqual([name])
    expect(journal.writes[0]).toBe('result c1')
  })

  it('makes no call again once another life has taken the turn over', async () => {
    const journal = new RecordingJournal()
    journal.refuses = 'stale'
    const { calls, outcome } = await nextLife([question, answer('look')], [intent('c1', 'look')], { journal })
    expect(calls).toEqual([])
    expect(outcome).toMatchObject({ status: 'interrupted', stop: { kind: 'lost' } })
  })

  it('makes no call again that had begun and must not be repeated: it is unknown, and the turn ends interrupted', async () => {
    const { calls, journal, model, outcome, lines } = await nextLife([question, answer('write', 'look')], [intent('c1', 'write')])
    expect(calls).toEqual([])
    expect(model.calls).toEqual([])
    expect(outcome).toMatchObject({ status: 'interrupted', text: '' })
    expect(outcome.stop).toBeUndefined()
    expect(lines.slice(2).map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual(['tool unknown', 'tool skipped'])
    expect(journal.writes).toEqual(['result c1', 'result c2', 'end interrupted'])
  })

  it('repeats nothing that has its result, and reads results that were stored out of order in order', async () => {
    const { calls, model, lines } = await nextLife([question, answer('write', 'write', 'look'), result('c2'), result('c1')])
    expect(calls).toEqual(['look'])
    expect(lines.slice(2, 5)).toEqual(['tool ok c1', 'tool ok c2', 'tool ok look again'])
    expect(model.calls).toHaveLength(1)
  })

  it('asks the model again when only the question was stored', async () => {
    const { model, outcome } = await nextLife([question])
    expect(model.calls).toHaveLength(1)
    expect(outcome.status).toBe('completed')
  })

  it('ends where the last results say so', async () => {
    const { model, outcome } = await nextLife([question, answer('write'), result('c1', { endsTurn: true })])
    expect(model.calls).toEqual([])
    expect(outcome.status).toBe('completed')
  })

  it('that was stopped before it began only closes what is open', async () => {
    const { calls, outcome, lines } = await nextLife([question, answer('look', 'write')], [intent('c1', 'look')], { signal: AbortSignal.abort() })
    expect(calls).toEqual([])
    expect(outcome.status).toBe('interrupted')
    expect(lines.slice(2).map((line) => line.split(' ')[1])).toEqual(['unknown', 'skipped'])
  })

  it('counts the steps of earlier lives', async () => {
    const { model, outcome } = await nextLife([question, answer('write'), result('c1')], [], { maxSteps: 1 })
    expect(model.calls[0]?.toolChoice).toEqual({ type: 'none' })
    expect(outcome).toMatchObject({ status: 'stopped', limit: 'steps' })
  })
})
