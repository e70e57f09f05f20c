import { HermesError, type Tool, type ToolContext, type ToolResult } from '@hermes/plugin-sdk'
import { aiSchema, type AiSchema } from './ai-tool-schema.js'
import { outputResult } from './ai-tool-output.js'
import type { AnyTool } from './any-tool.js'
import { errorResult } from './tool-result.js'

/** What the engine reads of a tool of AI SDK 6 or 7. */
interface AiTool {
  readonly type?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly metadata?: unknown
  readonly inputSchema: unknown
  readonly execute?: unknown
  readonly needsApproval?: unknown
  readonly toModelOutput?: unknown
}

/** A tool set of AI SDK 6 or 7, or of an MCP client: tools by name. */
export interface AiToolSet {
  readonly [name: string]: AiTool
}

type Execute = (input: unknown, options: object) => unknown
type NeedsApproval = (input: unknown, options: object) => unknown
type ToModelOutput = (options: { readonly toolCallId: string; readonly input: unknown; readonly output: unknown }) => unknown

/**
 * Tools of every kind as ours. A tool of a set runs with our signal and call id and with no messages; what its generator yields is
 * progress, and the last of it the result. `needsApproval` asks a person; the hint of an MCP server that a tool only reads makes it
 * `readOnly`. Throws `value.invalid`, naming the tool, for a tool of a set that nothing here can run.
 */
export function toTools(tools: readonly (AnyTool | AiToolSet)[]): readonly AnyTool[] {
  return tools.flatMap((item) => (isToolSet(item) ? Object.entries(item).map(([name, tool]) => wrapTool(name, tool)) : [item as AnyTool]))
}

/** The tools of a set have schemas; a tool of ours has a name and a description, which are texts. */
function isToolSet(item: unknown): item is AiToolSet {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return false
  return Object.values(item).every((member) => typeof member === 'object' && member !== null && 'inputSchema' in member)
}

function wrapTool(name: string, tool: AiTool): Tool {
  const { execute, description, title } = tool
  if (typeof execute !== 'function')
    throw unusable(name, 'it has no execute function: a tool that runs at the provider or in a client cannot be used')
  const schema = aiSchema(tool.inputSchema)
  if (typeof schema === 'string') throw unusable(name, schema)
  return {
    name,
    description: [description, title].find(isWords) ?? name,
    input: schema.input,
    readOnly: isReadOnly(tool) || undefined,
    approval: approvalOf(name, tool, schema),
    run: (input, context) => run({ name, schema, execute: execute as Execute, toModelOutput: tool.toModelOutput }, input, context),
  }
}

function unusable(name: string, issue: string): HermesError {
  return new HermesError('value.invalid', `The tool ${JSON.stringify(name)} of a tool set cannot be used: ${issue}.`, {
    where: `tool ${name}`,
    issues: [issue],
  })
}

function isReadOnly({ metadata }: AiTool): boolean {
  const { annotations } = Object(metadata) as { readonly annotations?: { readonly readOnlyHint?: unknown } }
  return annotations?.readOnlyHint === true
}

function approvalOf(name: string, { needsApproval }: AiTool, schema: AiSchema): Tool['approval'] {
  if (typeof needsApproval !== 'function') return needsApproval ? 'always' : undefined
  return async (input) => {
    const checked = await schema.check(input)
    if ('issue' in checked) throw new Error(checked.issue)
    const isNeeded = await (needsApproval as NeedsApproval)(checked.value, { toolCallId: '', messages: [], context: {} })
    if (!isNeeded) return undefined
    return { id: name, kind: 'approval', text: `May the tool ${name} run?`, detail: JSON.stringify(input, undefined, 2) }
  }
}

interface RunnableTool {
  readonly name: string
  readonly schema: AiSchema
  readonly execute: Execute
  readonly toModelOutput: unknown
}

async function run(tool: RunnableTool, input: unknown, context: ToolContext): Promise<ToolResult> {
  const checked = await tool.schema.check(input)
  if ('issue' in checked) return errorResult(`Invalid input for ${tool.name}: ${checked.issue}`)
  const options = { toolCallId: context.callId, messages: [], abortSignal: context.signal, context: {} }
  const output = await lastOutput(await tool.execute(checked.value, options), context)
  return outputResult(await modelOutput(tool, { toolCallId: context.callId, input: checked.value, output }), { output, media: context.media })
}

/** The output of a function, or the last one of a generator, whose others are progress. */
async function lastOutput(returned: unknown, context: ToolContext): Promise<unknown> {
  if (!isAsyncIterable(returned)) return returned
  let last: unknown
  for await (const output of returned) {
    last = output
    context.progress(typeof output === 'string' ? output : (JSON.stringify(output) ?? ''))
    if (context.signal.aborted) break
  }
  return last
}

async function modelOutput({ toModelOutput }: RunnableTool, call: Parameters<ToModelOutput>[0]): Promise<unknown> {
  if (typeof toModelOutput === 'function') return (toModelOutput as ToModelOutput)(call)
  return typeof call.output === 'string' ? { type: 'text', value: call.output } : { type: 'json', value: call.output ?? null }
}

function isWords(text: unknown): text is string {
  return typeof text === 'string' && text !== ''
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}
