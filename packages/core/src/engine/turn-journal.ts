import type { Answer, TurnOutcome } from '@hermes/plugin-sdk'
import type { TurnFact } from '../store/index.js'

/**
 * Where a turn writes what must survive it. The engine calls it in order, never while an earlier call is under way, and shows
 * nothing that it did not take. Both reject with `turn.closed` when the epoch is stale or the lane was stopped; after a stop only
 * results, states, questions and answers are taken. Any other rejection fails the turn: a journal repeats by itself what is worth repeating.
 */
export interface TurnJournal {
  commit(facts: readonly TurnFact[]): Promise<void>
  /** The last facts and the outcome, in one transaction. Not called for a turn that is parked or lost. */
  end(outcome: TurnOutcome, facts: readonly TurnFact[]): Promise<void>
  /** The answer that this life or an earlier one of the turn stored to a question, if there is one. */
  answered(questionId: string): Promise<Answer | undefined>
}

/** Takes everything and keeps nothing: for turns whose only memory is their result. */
export const forgetfulJournal: TurnJournal = {
  commit: () => Promise.resolve(),
  end: () => Promise.resolve(),
  answered: () => Promise.resolve(undefined),
}
