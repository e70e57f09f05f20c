import assert from 'node:assert/strict'
import { z } from 'zod'
import type { Tool, ToolResult } from '../../tool.js'
import { within } from '../waiting.js'
import { stopMs, stopping } from './calling.js'
import { toolContext } from './hosts-side.js'
import type { PluginCase, PluginStage } from './plugin-stage.js'

/** What the model may call. */
export const toolCases: readonly PluginCase[] = [
  [
    'have schemas that survive JSON, and ask for no property that they do not describe',
    async (stage) => {
      for (const tool of await toolsOf(stage)) {
        const schema = schemaOf(tool)
        assert.deepEqual(plain(schema), throughJson(schema), `the schema of ${tool.name} changes on its way through JSON`)
        const { properties = {}, required = [] } = schema as { properties?: object; required?: readonly string[] }
        const missing = required.filter((name) => !(name in properties))
        assert.deepEqual(missing, [], `${tool.name} requires properties that its schema does not describe`)
      }
    },
  ],
  [
    'say by their input alone what they claim and whether to ask',
    async (stage) => {
      for (const { tool, input } of await callsOf(stage)) {
        if (typeof tool.parallel === 'function') assert.ok(Array.isArray(tool.parallel(input)), `${tool.name} claims no list`)
        if (typeof tool.approval !== 'function') continue
        const question = await within(Promise.resolve(tool.approval(input)), `${tool.name} says whether to ask`)
        assert.ok(question === undefined || question.kind === 'approval', `${tool.name} asks for something else than an approval`)
      }
    },
  ],
  [
    'give results that survive JSON',
    async (stage) => {
      for (const call of await callsOf(stage)) {
        const [settled] = await Promise.allSettled([within(runTool(call), `${call.tool.name} ends`)])
        // A throw is a result, too: an error that the model reads.
        if (settled?.status === 'fulfilled') assertResult(settled.value, call.tool.name)
        else assert.ok(settled?.reason instanceof Error, `${call.tool.name} threw something that is no error`)
      }
    },
  ],
  [
    'end when they are told to stop',
    async (stage) => {
      for (const call of await callsOf(stage)) {
        for (const signal of [AbortSignal.abort(), stopping()])
          await within(Promise.allSettled([runTool(call, signal)]), `${call.tool.name} ends when it is told to`, stopMs)
      }
    },
  ],
]

/** A call that a model might make. */
export interface SampleCall {
  readonly tool: Tool
  readonly input: unknown
}

/** Every tool with every input that there is for it. */
async function callsOf(stage: PluginStage): Promise<readonly SampleCall[]> {
  return callsIn(await toolsOf(stage), (tool) => stage.inputsOf(tool))
}

/** The tools with the inputs that there are for them. */
export function callsIn(tools: Iterable<Tool>, inputsOf: (tool: string) => readonly unknown[]): readonly SampleCall[] {
  return [...tools].flatMap((tool) => inputsOf(tool.name).map((given) => ({ tool, input: parsed(tool, given) })))
}

/** Runs a tool as a host does. */
export async function runTool({ tool, input }: SampleCall, signal: AbortSignal = new AbortController().signal): Promise<string | ToolResult> {
  return tool.run(input, toolContext(signal))
}

/** The JSON Schema that a provider gets. */
export function schemaOf({ input }: Tool): object {
  return isZod(input) ? z.toJSONSchema(input, { io: 'input' }) : input
}

async function toolsOf(stage: PluginStage): Promise<readonly Tool[]> {
  const { record } = await stage.load()
  assert.ok(record.tools.size > 0, 'The plugin has no tools: skip this group with a reason.')
  return [...record.tools]
}

function parsed(tool: Tool, given: unknown): unknown {
  if (!isZod(tool.input)) return given
  const read = tool.input.safeParse(given)
  return read.success ? read.data : assert.fail(`an input for ${tool.name} does not fit its schema: ${read.error.message}`)
}

function isZod(input: Tool['input']): input is z.ZodType {
  return '_zod' in input
}

function assertResult(result: string | ToolResult, tool: string): void {
  if (typeof result === 'string') return
  assert.ok(typeof result === 'object' && result !== null && Array.isArray(result.parts), `the result of ${tool} is neither a text nor parts`)
  for (const part of result.parts) assert.ok(['text', 'media', 'json'].includes(part.type), `a part of the result of ${tool} is a ${part.type}`)
  assert.deepEqual(plain(result), throughJson(result), `the result of ${tool} changes on its way through JSON`)
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Without members that are `undefined`: JSON drops them, and nobody misses them. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, member]) => (member === undefined ? [] : [[key, plain(member)]])))
}
