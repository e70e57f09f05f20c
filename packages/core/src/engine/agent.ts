import { z } from 'zod'
import { parseOptions, type AgentRuntime, type Awaitable } from '@hermes/plugin-sdk'
import type { AgentRun } from './agent-run.js'
import { toTools, type AiToolSet } from './ai-tools.js'
import type { AnyTool } from './any-tool.js'
import { isModel, modelPort, modelProblem, type Model } from './model.js'
import { runModelLoop } from './model-loop.js'
import { runTurn, type RunInput } from './run-turn.js'
import { mergeTools, toolListing } from './tool-listing.js'

type Instructions = (context: { readonly lane: string }) => Awaitable<string>

const agentOptions = z.object({
  /** A language model of AI SDK, specification v2, v3 or v4. */
  model: z.custom<Model>(isModel, { error: ({ input }) => modelProblem(input) }),
  /** Names the agent in logs and errors. Default `agent`. */
  id: z.string().min(1).optional(),
  /** Opens every request. A function is asked once per conversation. */
  instructions: z.union([z.string(), z.custom<Instructions>(isFunction, 'must be a text or a function')]).optional(),
  /**
   * Tools, and tool sets of AI SDK 6 and 7 or of MCP clients: `[look, await mcpClient.tools()]`. Two of one name are refused as
   * `name.taken`, a wrong input schema and a tool without `execute` as `value.invalid`.
   */
  tools: z.custom<readonly (AnyTool | AiToolSet)[]>(Array.isArray, 'must be a list of tools and tool sets').optional(),
  /** Model calls of a turn where the host sets no limit, without the one for the summary when they are used up. Default 90. */
  maxSteps: z.int().min(1).optional(),
  /** Tokens that the model can hold: tells whether a refusal without words means a conversation that is too long. Default 256 000. */
  contextWindow: z.int().min(1).default(256_000),
  /** Repeats after 429, 5xx, time-outs and empty answers; milliseconds. Default: 3 attempts, waits of 2 s doubled, at most 120 s. */
  retry: z
    .strictObject({
      attempts: z.int().min(1).default(3),
      baseMs: z.number().min(0).default(2_000),
      maxMs: z.number().min(0).default(120_000),
    })
    .prefault({}),
})

/** What `createAgent` takes. */
export type AgentOptions = z.input<typeof agentOptions>

/** A runtime over one language model, and its own door. */
export interface Agent extends AgentRuntime {
  /** Runs a turn without a gateway: `runTurn` with this agent. */
  stream(input: RunInput): AgentRun
}

/**
 * An agent over a language model and tools. It holds nothing of a turn: it may run any number at once. Throws `options.invalid`,
 * `name.taken` and `value.invalid`.
 */
export function createAgent(options: AgentOptions): Agent {
  const parsed = parseOptions(agentOptions, options, 'createAgent()')
  const { model, id = 'agent', instructions, maxSteps, contextWindow, retry } = parsed
  const tools = toTools(parsed.tools ?? [])
  for (const tool of mergeTools({ id, tools }, []).values()) toolListing(tool)
  const agent: Agent = {
    id,
    steers: true,
    instructions,
    tools,
    maxSteps,
    run: (turn) => runModelLoop(turn, { model: modelPort(model), contextWindow, retry }),
    stream: (input) => runTurn(agent, input),
  }
  return Object.freeze(agent)
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function'
}
