import type { AgentFailure, AssistantMessage, TurnOutcome, Usage } from '@hermes/plugin-sdk'
import { textOf } from './transcript.js'
import type { Conclusion } from './turn-control.js'

/** A conclusion whose error is classified. */
export type KnownConclusion = Exclude<Conclusion, { kind: 'failed' }> | { readonly kind: 'failed'; readonly failure: AgentFailure }

/** How a turn ended, from why it did not go on. Only a turn that came to its own end has a text. */
export function outcomeOf(
  conclusion: KnownConclusion,
  turn: { readonly answer: AssistantMessage | undefined; readonly isOutOfSteps: boolean; readonly steps: number; readonly usage: Usage },
): TurnOutcome {
  const { answer, steps, usage } = turn
  const empty = { text: '', steps, usage }
  switch (conclusion.kind) {
    case 'returned': {
      const limit = turn.isOutOfSteps ? 'steps' : answer?.finish === 'length' ? 'length' : undefined
      return { ...empty, status: limit ? 'stopped' : 'completed', text: answer ? wordsOf(answer) : '', limit }
    }
    case 'crashed':
      return { ...empty, status: 'interrupted' }
    case 'stopped':
      return { ...empty, status: conclusion.reason.kind === 'shutdown' ? 'parked' : 'interrupted', stop: conclusion.reason }
    case 'failed':
      return { ...empty, status: 'failed', failure: conclusion.failure }
  }
}

/** What an answer says to people. */
export function wordsOf({ parts }: AssistantMessage): string {
  return textOf({ parts: parts.filter(isText) })
}

function isText(part: AssistantMessage['parts'][number]): boolean {
  return part.type === 'text'
}
