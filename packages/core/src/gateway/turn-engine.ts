import { HermesError, type AgentRuntime } from '@hermes/plugin-sdk'
import { hostTurn, PromptBuilder, type HostedTurn, type TurnHooks } from '../engine/index.js'
import type { PluginHost } from '../hooks/index.js'
import { isolate } from '../kernel/index.js'
import type { TurnEngine } from '../turns/index.js'
import type { ParsedGatewayOptions } from './gateway-options.js'

/** Instructions that are a function may take so long; a lane waits for them. */
const instructionsTimeoutMs = 30_000

/** What the engine of the house works with. */
export interface TurnEngineParts extends Pick<HostedTurn, 'media' | 'clock' | 'ids' | 'logger'> {
  readonly hooks: TurnHooks
  readonly plugins: Pick<PluginHost, 'tools' | 'recordOf'>
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
}

/** The engine as the turns see it: one agent, with the tools of all plugins. Its own are among those, under the same rules. */
export function createTurnEngine({ agent, maxSteps }: Pick<ParsedGatewayOptions, 'agent' | 'maxSteps'>, parts: TurnEngineParts): TurnEngine {
  const { plugins, hooks, media, clock, ids, logger } = parts
  const { id, steers } = agent
  const runtime: AgentRuntime = { id, steers, instructions: guardInstructions(agent, parts), run: (turn) => agent.run(turn) }
  const prompts = new PromptBuilder(runtime)
  return {
    prepare: (lane, stored) => prompts.build({ lane, tools: plugins.tools(), stored }),
    start({ turn, transcript, opening, journal, snapshot, canAnswer }) {
      const { messages, intents, states } = transcript
      const recordOf: HostedTurn['recordOf'] = (tool) => plugins.recordOf(tool)
      const shared = { runtime, media, hooks, maxSteps, clock, ids, logger, recordOf, tools: plugins.tools() }
      return hostTurn({
        ...shared,
        turn,
        opening,
        journal,
        canAnswer,
        snapshot: () => snapshot,
        transcript: { messages, intents, state: states[id] },
      })
    },
  }
}

/** A function of the agent that hangs or answers with no text fails its turn, and blocks no lane. */
function guardInstructions({ id, instructions }: AgentRuntime, { clock, signal }: TurnEngineParts): AgentRuntime['instructions'] {
  if (typeof instructions !== 'function') return instructions
  return async (context) => {
    const what = `agent ${id}: instructions`
    const said = await isolate<unknown>(() => instructions(context), { clock, timeoutMs: instructionsTimeoutMs, what, signal })
    if (!said.ok) throw said.error
    if (typeof said.value === 'string') return said.value
    const issues = [`they were ${typeof said.value}`]
    throw new HermesError('value.invalid', `The instructions of agent ${id} must be a text: ${issues.join()}.`, { where: 'instructions', issues })
  }
}
