import { defineTool, type Answer, type Tool, type TurnId, type UserMessage } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { randomIds } from '../kernel/index.js'
import { FakeClock, ScriptedModel } from '../testing/index.js'
import { createAgent, createMemoryMedia, hostTurn, noHooks, PromptBuilder, type TurnHooks } from './index.js'
import { linesOf, RecordingJournal, seen } from './recorded-turns.js'

const turn = 'turn' as TurnId
const opening = { id: 'said', turn, at: 0, role: 'user', origin: 'person', parts: [{ type: 'text', text: 'go' }] } as unknown as UserMessage

const inputs: unknown[] = []
const look = defineTool({
  name: 'look',
  description: 'L.',
  input: z.object({ at: z.string() }),
  run(input) {
    inputs.push(input)
    return `saw ${input.at}`
  },
})

/** A turn whose model calls the tool once, with plugins that have a say. */
function turnWith(hooks: Partial<TurnHooks>, { tool = look as Tool, signal = new AbortController().signal } = {}) {
  inputs.length = 0
  const model = new ScriptedModel([[{ toolCall: { name: 'look', input: { at: 'noon' }, id: 'c1' } }], 'done'])
  const runtime = createAgent({ model, tools: [tool] })
  const journal = new RecordingJournal()
  const run = hostTurn({
    runtime,
    turn: { id: turn, lane: 'lane', epoch: 1, signal },
    transcript: { messages: [], intents: [] },
    opening: [opening],
    snapshot: () => new PromptBuilder(runtime).build({ lane: 'lane', tools: [] }),
    tools: [],
    journal,
    media: createMemoryMedia(randomIds),
    hooks: { ...noHooks, isTapped: (name) => name in hooks, ...hooks },
    canAnswer: true,
    clock: new FakeClock(),
    ids: randomIds,
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  })
  return { run, journal }
}

async function answer({ run }: ReturnType<typeof turnWith>, given: Answer): Promise<{ question: unknown; lines: readonly string[] }> {
  const { question } = await seen(run, 'question-open')
  run.answer(question.id, given)
  return { question, lines: linesOf((await run.result).messages) }
}

const wantsPerson: Partial<TurnHooks> = {
  preToolCall: ({ input }) => ({ action: 'ask', input: { ...input, at: 'night' }, owner: 'careful', message: 'It is dark.' }),
}

describe('a call that a plugin wants to have approved', () => {
  it('runs with the changed input that the person was shown', async () => {
    const { question, lines } = await answer(turnWith(wantsPerson), { kind: 'approved' })
    expect(question).toEqual({ id: 'c1', kind: 'approval', text: 'It is dark.', detail: '{\n  "at": "night"\n}' })
    expect(inputs).toEqual([{ at: 'night' }])
    expect(lines).toContain('tool ok saw night')
  })

  it('does not run where the person says no', async () => {
    const { lines } = await answer(turnWith(wantsPerson), { kind: 'denied' })
    expect(inputs).toEqual([])
    expect(lines).toContainEqual(expect.stringMatching(/^tool denied Not run: a person refused it/))
  })

  it('is asked about once where its tool wants approval too', async () => {
    const tool = defineTool({ ...look, approval: 'always' }) as Tool
    const { question, lines } = await answer(turnWith(wantsPerson, { tool }), { kind: 'approved' })
    expect(question).toMatchObject({ id: 'c1', text: 'It is dark.\nMay the tool look run?' })
    expect(lines).toContain('tool ok saw night')
  })
})

describe('a turn that is stopped while plugins are asked', () => {
  it('does not let a call run, and blames nobody for it', async () => {
    const { run } = turnWith({
      preToolCall: async ({ input }) => {
        run.stop()
        return { action: 'run', input }
      },
    })
    const { outcome, messages } = await run.result
    expect(outcome.status).toBe('interrupted')
    expect(inputs).toEqual([])
    expect(linesOf(messages)).toContainEqual(expect.stringMatching(/^tool skipped /))
  })

  it('stores no answer that nobody could change any more', async () => {
    const { run, journal } = turnWith({
      transformAnswer: async () => {
        run.stop('shutdown')
        return 'changed'
      },
    })
    const { outcome } = await run.result
    expect(outcome.status).toBe('parked')
    expect(journal.writes).toEqual(['message user', 'message assistant', 'intent c1', 'result c1'])
  })
})

describe('what plugins add to a message', () => {
  it('is written together with the message, before anything else', async () => {
    const writes: number[] = []
    const { run, journal } = turnWith({ turnStart: async () => 'It rains.' })
    journal.onWrite = () => void writes.push(journal.facts.length)
    await run.result
    expect(linesOf((await run.result).messages).slice(0, 2)).toEqual(['user go', 'user It rains.'])
    // The message, the context and the first answer: nothing was taken yet when they were written.
    expect(writes.slice(0, 4)).toEqual([0, 0, 0, 3])
    expect(journal.facts[1]).toMatchObject({ kind: 'message', message: { role: 'user', origin: 'event', turn } })
  })
})
