import { z } from 'zod'
import { defineTool, HermesError, type AgentRuntime, type JsonSchema, type ToolListing } from '@hermes/plugin-sdk'
import type { AnyTool } from './any-tool.js'

/** What the model reads of a tool. Throws `value.invalid`, naming the tool, for one that `defineTool` would refuse. */
export function toolListing(tool: AnyTool): ToolListing {
  const { name, description, input } = defineTool(tool)
  return { name, description, inputSchema: isZodSchema(input) ? (z.toJSONSchema(input, { io: 'input' }) as JsonSchema) : (input as JsonSchema) }
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
