import type { AgentRuntime, AgentTurn, RuntimeEvent } from '@hermes/plugin-sdk'
import { agentRuntimeConformance, type ModelScript } from '@hermes/plugin-sdk/conformance'
import { describe, expect, it } from 'vitest'
import { ScriptedModel } from '../testing/index.js'
import { createAgent, runTurn } from './index.js'

const agentOf = (script: ModelScript) => createAgent({ model: ScriptedModel.playing(script) })

describe('createAgent keeps what every agent loop promises:', () => {
  agentRuntimeConformance({ describe, it }, { runTurn, create: agentOf })
})

/** The groups of the suite in which a runtime breaks a promise. A case that does not end is broken, too. */
async function brokenGroups(breakIt: (runtime: AgentRuntime, script: ModelScript) => AgentRuntime): Promise<string[]> {
  const cases: { readonly group: string; readonly body: () => Promise<void> }[] = []
  let group = ''
  const collecting = {
    describe: (name: string, body: () => void) => ((group = name), body()),
    it: (_: string, body: () => Promise<void>) => void cases.push({ group, body }),
  }
  agentRuntimeConformance(collecting, { runTurn, create: (script) => breakIt(agentOf(script), script) })
  const broken = cases.map(async ({ body, group: of }) => {
    const late = new Promise<never>((_resolve, reject) => setTimeout(reject, 3_000, new Error('it does not end')).unref())
    return Promise.race([body(), late]).then(
      () => [],
      () => [of],
    )
  })
  return [...new Set((await Promise.all(broken)).flat())]
}

const filtering =
  (keeps: (event: RuntimeEvent) => boolean) =>
  (runtime: AgentRuntime): AgentRuntime => ({
    ...runtime,
    async *run(turn) {
      for await (const event of runtime.run(turn)) if (keeps(event)) yield event
    },
  })
const facing =
  (turnOf: (turn: AgentTurn) => Partial<AgentTurn>) =>
  (runtime: AgentRuntime): AgentRuntime => ({
    ...runtime,
    run: (turn) => runtime.run(Object.assign(Object.create(turn) as AgentTurn, turnOf(turn))),
  })

describe('the suite finds a loop that', () => {
  it.each([
    ['tells nothing of its steps', 'answers', filtering(({ type }) => type !== 'step-start')],
    [
      'runs no tool',
      'tools',
      facing(({ tools }) => ({
        tools: { list: tools.list, call: ({ callId, name }) => Promise.resolve({ role: 'tool', callId, name, status: 'ok', parts: [] } as never) },
      })),
    ],
    ['loses notes', 'notes', filtering((event) => event.type !== 'message-add' || event.message.role !== 'user')],
    ['waits for ever when it is stopped', 'stops', facing(() => ({ signal: new AbortController().signal }))],
    [
      'asks its model before it looks at what is there',
      'restarts',
      (runtime: AgentRuntime, script: ModelScript): AgentRuntime => ({ ...runtime, run: (turn) => (script.next([]), runtime.run(turn)) }),
    ],
    [
      'hides what its model failed with',
      'what goes wrong',
      (runtime: AgentRuntime): AgentRuntime => ({
        ...runtime,
        async *run(turn) {
          try {
            yield* runtime.run(turn)
          } catch {
            // As a loop does that takes every failure for an empty answer.
          }
        },
      }),
    ],
  ])('%s', async (_what, group, breakIt) => {
    expect(await brokenGroups(breakIt)).toContain(group)
  })
})
