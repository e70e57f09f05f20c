import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool } from '@ai-sdk/provider'
import type { AgentTurn, New, RuntimeEvent, ToolListing, UserMessage } from '@hermes/plugin-sdk'
import { issuerOf, type Model } from './model.js'
import { toPrompt } from './model-prompt.js'
import { runStep, type ModelRequest } from './model-step.js'
import type { RetryPolicy } from './retry-policy.js'
import { callsOf } from './transcript.js'

/** What a loop needs to know of its agent. */
export interface ModelLoopSettings {
  readonly model: Model
  readonly retry: RetryPolicy
}

/** Sent with the last request, never stored. */
const summaryRequest: New<UserMessage> = {
  role: 'user',
  origin: 'event',
  parts: [
    {
      type: 'text',
      text: 'No steps are left, so no more tools can be used. Say in a few sentences what was done, what came of it, and what is still open.',
    },
  ],
}

/** The loop of a language model: ask, call the tools it wants, ask again, until it answers or the steps are used up. */
export async function* runModelLoop(turn: AgentTurn, settings: ModelLoopSettings): AsyncGenerator<RuntimeEvent, void> {
  while (turn.budget.take()) {
    const answer = yield* runStep(turn, requestOf(turn, settings))
    yield { type: 'message-add', message: answer }
    const calls = callsOf(answer)
    if (calls.length === 0) return
    const results = await Promise.all(calls.map(({ callId, name, input }) => turn.tools.call({ callId, name, input })))
    turn.signal.throwIfAborted()
    if (results.every((result) => result.endsTurn)) return
    for (const message of turn.inbox.take()) yield { type: 'message-add', message }
  }
  yield* summarise(turn, settings)
}

/** One more request, without tools, for what was done; what its answer still wants to call is left out. */
async function* summarise(turn: AgentTurn, settings: ModelLoopSettings): AsyncGenerator<RuntimeEvent, void> {
  const request = requestOf(turn, settings, [summaryRequest])
  const answer = yield* runStep(turn, { ...request, options: { ...request.options, toolChoice: { type: 'none' } } })
  yield { type: 'message-add', message: { ...answer, parts: answer.parts.filter((part) => part.type !== 'tool-call') } }
}

function requestOf(turn: AgentTurn, { model, retry }: ModelLoopSettings, more: readonly New<UserMessage>[] = []): ModelRequest {
  const prompt = toPrompt(turn.system, [...turn.messages, ...more], issuerOf(model))
  const options: LanguageModelV3CallOptions = { prompt }
  if (turn.tools.list.length > 0) options.tools = turn.tools.list.map(toFunctionTool)
  return { model, retry, options }
}

function toFunctionTool({ name, description, inputSchema }: ToolListing): LanguageModelV3FunctionTool {
  return { type: 'function', name, description, inputSchema: inputSchema as LanguageModelV3FunctionTool['inputSchema'] }
}
