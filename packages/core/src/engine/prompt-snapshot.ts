import { createHash } from 'node:crypto'
import type { AgentRuntime } from '@hermes/plugin-sdk'
import type { PromptSnapshot } from '../store/index.js'
import type { AnyTool } from './any-tool.js'
import { mergeTools, toolListing } from './tool-listing.js'

/**
 * The bytes that open every request of a conversation. While the settings they came from are the same, the stored ones are given
 * back as they are; instructions that are a function are asked only when others changed. Rejects with `name.taken` or `value.invalid`
 * for tools, and with what the instructions throw.
 */
export async function buildPromptSnapshot(parts: {
  readonly runtime: Pick<AgentRuntime, 'id' | 'instructions' | 'tools'>
  readonly lane: string
  /** Tools of the host; those of the runtime are added. */
  readonly tools: readonly AnyTool[]
  readonly stored?: PromptSnapshot | undefined
}): Promise<PromptSnapshot> {
  const { instructions = '' } = parts.runtime
  const merged = [...mergeTools(parts.runtime, parts.tools).values()]
  const tools = merged.map(toolListing).toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const settings = [typeof instructions === 'string' ? { text: instructions } : 'dynamic', tools]
  const hash = createHash('sha256').update(JSON.stringify(settings)).digest('hex')
  if (parts.stored?.hash === hash) return parts.stored
  const system = typeof instructions === 'string' ? instructions : await instructions({ lane: parts.lane })
  return { hash, system, tools }
}
