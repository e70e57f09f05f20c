import type { AgentTurn, New, RuntimeEvent, UserMessage } from '@hermes/plugin-sdk'
import type { ModelPort } from './model-port.js'
import { ModelRequests } from './model-requests.js'
import { runStep } from './model-step.js'
import type { RetryPolicy } from './retry-policy.js'
import { callsOf } from './transcript.js'

/** What a loop needs to know of its agent. */
export interface ModelLoopSettings {
  readonly model: ModelPort
  /** Tokens that the model can hold. */
  readonly contextWindow: number
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
  const step = { requests: new ModelRequests(turn, settings), retry: settings.retry }
  while (turn.budget.take()) {
    const answer = yield* runStep(turn, step)
    yield { type: 'message-add', message: answer }
    const calls = callsOf(answer)
    if (calls.length === 0) return
    const results = await Promise.all(calls.map(({ callId, name, input }) => turn.tools.call({ callId, name, input })))
    turn.signal.throwIfAborted()
    if (results.every((result) => result.endsTurn)) return
    for (const message of turn.inbox.take()) yield { type: 'message-add', message }
  }
  // One more request, without tools, for what was done; what its answer still wants to call is left out.
  const answer = yield* runStep(turn, { ...step, more: [summaryRequest], toolChoice: { type: 'none' } })
  yield { type: 'message-add', message: { ...answer, parts: answer.parts.filter((part) => part.type !== 'tool-call') } }
}
