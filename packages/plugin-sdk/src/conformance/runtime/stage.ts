import assert from 'node:assert/strict'
import type { AgentEvent, AgentRuntime } from '../../agent.js'
import { defineTool } from '../../define-tool.js'
import type { Tool, ToolContext } from '../../tool.js'
import type { Message } from '../../transcript.js'
import { RecordedScript, type ScriptedReply } from './model-script.js'
import type { RuntimeConformance } from './runtime-conformance.js'
import { RecordedJournal, type RunUnderTest, type TurnInput } from './turn-host.js'

/** One promise of a runtime, as a sentence, and how to see that it is kept. */
export type RuntimeCase = readonly [promise: string, check: (setup: RuntimeConformance) => Promise<void>]

/** A turn of a runtime whose model plays a script. */
export interface Scene {
  readonly script: RecordedScript
  readonly journal: RecordedJournal
  readonly run: RunUnderTest
}

type SceneInput = Partial<TurnInput> & {
  /** Stands between the runtime and its host. */
  readonly wrap?: ((runtime: AgentRuntime) => AgentRuntime) | undefined
}

/** Begins a turn that answers `go`. */
export function play(setup: RuntimeConformance, replies: readonly ScriptedReply[], input: SceneInput = {}): Scene {
  return playOn(setup, new RecordedScript(replies), input)
}

/** Begins a turn on a script that an earlier one began. */
export function playOn(setup: RuntimeConformance, script: RecordedScript, { wrap = (runtime) => runtime, ...input }: SceneInput): Scene {
  const journal = input.journal ?? new RecordedJournal()
  const run = setup.runTurn(wrap(setup.create(script)), { messages: 'go', ...input, journal })
  return { script, journal, run }
}

/** The same runtime, with something between its `run` and the host. */
export function withRun(runtime: AgentRuntime, run: AgentRuntime['run']): AgentRuntime {
  return Object.create(runtime, { run: { value: run } }) as AgentRuntime
}

/** All events, whole. */
export async function allEvents(run: RunUnderTest): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of run.events) events.push(event)
  return events
}

/** The first event of a type that fits, as soon as it is shown. */
export async function seen<T extends AgentEvent['type']>(
  run: RunUnderTest,
  type: T,
  fits: (event: Extract<AgentEvent, { type: T }>) => boolean = () => true,
): Promise<Extract<AgentEvent, { type: T }>> {
  for await (const event of run.events) {
    if (event.type !== type) continue
    const found = event as Extract<AgentEvent, { type: T }>
    if (fits(found)) return found
  }
  const { outcome } = await run.result
  return assert.fail(`The turn ended as ${outcome.status} without ${type}. ${outcome.failure?.message ?? ''}`)
}

/** The input of every tool here: a text `at`. */
const input = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] } as const

/** A tool for a case. */
export function tool(name: string, run: (at: string, context: ToolContext) => string | Promise<string>, more: Partial<Tool> = {}): Tool {
  const definition: Tool = { name, description: `Does ${name}.`, input, ...more, run: (given, context) => run((given as { at: string }).at, context) }
  return defineTool(definition)
}

/** A call of a tool. */
export function call(id: string, name: string, at = id) {
  return { id, name, input: { at } }
}

/** What the messages say, one line each: `tool ok done`. */
export function linesOf(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : part.type === 'tool-call' ? [`${part.name}()`] : []))
    return [message.role, ...(message.role === 'tool' ? [message.status] : []), ...texts].join(' ').trim()
  })
}

/** The results of a transcript, as `status text`, in its order. */
export function resultsOf(messages: readonly Message[]): string[] {
  return linesOf(messages.filter((message) => message.role === 'tool')).map((line) => line.slice('tool '.length))
}

/** Lets everything go on that can go on without a wait. */
export async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
}
