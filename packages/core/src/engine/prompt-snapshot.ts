import { createHash } from 'node:crypto'
import type { AgentRuntime } from '@hermes/plugin-sdk'
import type { PromptSnapshot } from '../store/index.js'
import type { AnyTool } from './any-tool.js'
import { mergeTools, toolListing } from './tool-listing.js'

/** What tools and settings alone tell of a snapshot. */
type PromptSettings = Pick<PromptSnapshot, 'hash' | 'tools'>

type PromptedRuntime = Pick<AgentRuntime, 'id' | 'instructions' | 'tools'>

/** What a snapshot is made for. */
export interface PromptOccasion {
  readonly lane: string
  /** Tools of the host; those of the runtime are added. */
  readonly tools: readonly AnyTool[]
  readonly stored?: PromptSnapshot | undefined
}

/** Builds the bytes that open every request of a conversation with one runtime. */
export class PromptBuilder {
  readonly #runtime: PromptedRuntime
  /** Schemas of tools are costly to write out, and the tools of a house rarely change. */
  #last: { readonly tools: readonly AnyTool[]; readonly settings: PromptSettings } | undefined

  constructor(runtime: PromptedRuntime) {
    this.#runtime = runtime
  }

  /**
   * While the settings that a stored snapshot came from are the same, it is given back as it is; instructions that are a function are
   * asked only when others changed. Rejects with `name.taken` or `value.invalid` for tools, and with what the instructions throw.
   */
  async build({ lane, tools, stored }: PromptOccasion): Promise<PromptSnapshot> {
    const settings = this.#settingsFor(tools)
    if (stored?.hash === settings.hash) return stored
    const { instructions = '' } = this.#runtime
    const system = typeof instructions === 'string' ? instructions : await instructions({ lane })
    return { ...settings, system }
  }

  #settingsFor(tools: readonly AnyTool[]): PromptSettings {
    if (this.#last && haveSameItems(this.#last.tools, tools)) return this.#last.settings
    const settings = readSettings(this.#runtime, tools)
    this.#last = { tools: [...tools], settings }
    return settings
  }
}

function readSettings(runtime: PromptedRuntime, tools: readonly AnyTool[]): PromptSettings {
  const { instructions = '' } = runtime
  const merged = [...mergeTools(runtime, tools).values()]
  const listings = merged.map(toolListing).toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const settings = [typeof instructions === 'string' ? { text: instructions } : 'dynamic', listings]
  return { hash: createHash('sha256').update(JSON.stringify(settings)).digest('hex'), tools: listings }
}

function haveSameItems(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((item, index) => item === right[index])
}
