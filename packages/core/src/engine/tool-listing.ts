import { z } from 'zod'
import { defineTool, HermesError, type AgentRuntime, type JsonSchema, type ToolListing } from '@hermes/plugin-sdk'
import type { AnyTool } from './any-tool.js'

/**
 * What the model reads of a tool. Throws `value.invalid`, naming the tool, where its input is no schema of an object: providers
 * would refuse every request far from the cause.
 */
export function toolListing(tool: AnyTool): ToolListing {
  defineTool(tool)
  const inputSchema = isZodSchema(tool.input) ? zodToJson(tool.name, tool.input) : (tool.input as JsonSchema)
  const problem = schemaProblem(inputSchema)
  if (problem) throw invalidTool(tool.name, problem)
  return { name: tool.name, description: tool.description, inputSchema }
}

/** A schema that checks the input of a call. What a JSON Schema says beyond zod's reading of it is left to the tool. */
export function inputSchemaOf(tool: AnyTool): z.ZodType {
  if (isZodSchema(tool.input)) return tool.input
  try {
    return z.fromJSONSchema(tool.input as Parameters<typeof z.fromJSONSchema>[0])
  } catch {
    return z.looseObject({})
  }
}

/** The tools of the host and of the runtime, by name. Throws `name.taken` for two of one name; the same tool on both sides is one. */
export function mergeTools(runtime: Pick<AgentRuntime, 'id' | 'tools'>, tools: readonly AnyTool[]): ReadonlyMap<string, AnyTool> {
  const merged = new Map<string, { readonly tool: AnyTool; readonly owner: string }>()
  const owned = [
    ...tools.map((tool) => ({ tool, owner: 'the host' })),
    ...(runtime.tools ?? []).map((tool) => ({ tool, owner: `agent ${runtime.id}` })),
  ]
  for (const { tool, owner } of owned) {
    const taken = merged.get(tool.name)
    if (taken && taken.tool !== tool) {
      const message = `Two tools are named ${JSON.stringify(tool.name)}: one of ${taken.owner}, one of ${owner}. Rename one of them.`
      throw new HermesError('name.taken', message, { kind: 'tool', name: tool.name, owner: taken.owner })
    }
    merged.set(tool.name, taken ?? { tool, owner })
  }
  return new Map([...merged].map(([name, { tool }]) => [name, tool]))
}

function isZodSchema(input: object): input is z.ZodType {
  return '_zod' in input
}

function zodToJson(name: string, schema: z.ZodType): JsonSchema {
  try {
    return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema
  } catch (error) {
    throw invalidTool(name, `input cannot be written as JSON Schema: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function schemaProblem(schema: JsonSchema): string | undefined {
  if (schema['type'] !== 'object') return `input must describe an object (type "object"), not ${JSON.stringify(schema['type']) ?? 'nothing'}`
  for (const member of ['properties', 'parameters'] as const) {
    const value = schema[member]
    if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))) return `${member} of input must be an object`
  }
  return undefined
}

function invalidTool(name: string, issue: string): HermesError {
  return new HermesError('value.invalid', `Tool ${JSON.stringify(name)}: ${issue}.`, { where: `tool ${name}`, issues: [issue] })
}
