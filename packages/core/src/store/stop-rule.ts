import type { StopReason, TurnId, TurnState } from '@hermes/plugin-sdk'
import type { TurnEnding, TurnFact } from './records.js'

/**
 * A stopped turn takes no answer and no intent any more: what was not finished in time is in neither transcript nor outbox. An answer
 * that only closes calls which had begun is none of the model.
 */
export function isRefusedAfterStop(fact: TurnFact): boolean {
  return fact.kind === 'intent' || (fact.kind === 'message' && fact.message.role === 'assistant' && !fact.closes)
}

/** What is left of an ending when its turn was told to stop: closing facts, and rows that are not the turn's own. */
export function endingAfterStop(ending: TurnEnding, turn: TurnId, stop: StopReason): TurnEnding {
  const state: Exclude<TurnState, 'open'> = stop.abandons ? 'abandoned' : ending.state
  return {
    ...ending,
    state,
    facts: ending.facts.filter((fact) => !isRefusedAfterStop(fact)),
    outbox: ending.outbox.filter((row) => row.turn !== turn),
  }
}

/** The reason that a turn gets when its conversation ends under it. */
export const stoppedByRenewal: StopReason = { kind: 'reset', abandons: true }
