import type { AgentEvent, Answer, Message, StopReason, TurnOutcome, UserMessage } from '@hermes/plugin-sdk'

/** A turn under way. It runs by itself, whether or not somebody reads. */
export interface AgentRun {
  /**
   * May be read late, twice or never; every reader begins at `turn-start`. What is kept until the run itself is dropped: every
   * event once, where neighbouring deltas of a block are joined to pieces of about 4 KB, and neighbouring updates of a tool to the newest.
   */
  readonly events: AsyncIterable<AgentEvent>
  /** Never rejects. */
  readonly result: Promise<TurnResult>
  /** Leaves a note for the running turn. `false`: the turn is over and the note was not taken. */
  steer(text: string): boolean
  /** Ends the turn; the first reason wins. Default `stop`. */
  stop(kind?: StopReason['kind']): void
  /**
   * Answers a question that `question-open` showed. `false`: it is not open (any more), or this is no answer to a question of its
   * kind. The answer is stored when `question-close` shows it.
   */
  answer(questionId: string, answer: Answer): boolean
}

/** What came of a turn. */
export interface TurnResult {
  readonly outcome: TurnOutcome
  /** The whole conversation, in the order in which the model reads it. */
  readonly messages: readonly Message[]
  /** Notes that never reached the model, oldest first. */
  readonly undelivered: readonly UserMessage[]
}
