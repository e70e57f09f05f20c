import type { AgentEvent, TurnOutcome } from './agent.js'
import type { Answer } from './questions.js'
import type { TurnRef } from './turns.js'

/** What the agent is to answer for an application or a plugin. */
export interface RunRequest {
  /** What is said to the agent, as a person would say it; never read as a command. */
  readonly input: string
  /**
   * The session whose next turn this is: behind what runs and waits there, in its conversation and transcript. A tool must not wait for a run of
   * its own session: each would wait for the other. Absent: the run has a conversation of its own, which ends with it.
   */
  readonly sessionKey?: string | undefined
  /**
   * Names the run among those of its caller, 1 to 256 characters. A request with the key of a run that has not ended is answered by that run,
   * also after a restart; with the key of one that ended, until 48 hours after that was asked for, by its outcome.
   */
  readonly key?: string | undefined
  /** Ends the run, as `interrupted` by a `disconnect`: what it started may be reaped. */
  readonly signal?: AbortSignal | undefined
}

/**
 * A turn that an application or a plugin asked for. It runs by itself, whether or not somebody reads. Its three promises reject only where it
 * was never accepted: with `run.refused`, `stopped`, or what the store said.
 *
 * Once accepted it is stored, and survives its process as every turn does: `result` is `parked` when the process stops, and the next one goes
 * on, under the same turn id and the next epoch. Taps of hooks hear that (`turnEnd` names the turn), and its questions are `unanswered`.
 * One with a `key` is heard again by who requests it again, and its questions wait for that; whoever does so before the gateway
 * starts, or while a plugin registers, misses nothing of the next life.
 */
export interface Run {
  /** The first life that this process sees of it. Rejects with `stopped` where the run ended, or its process did, before its turn began. */
  readonly turn: Promise<TurnRef>
  /**
   * May be read late, twice or never; every reader begins at `turn-start`. Where the end could not be stored, the events of the next life
   * follow. Nothing is kept of a run that had ended when it was asked for.
   */
  readonly events: AsyncIterable<AgentEvent>
  /** How it ended, once that is stored. */
  readonly result: Promise<TurnOutcome>
  /**
   * Answers a question that `question-open` showed. `false`: it is not open (any more), or this is no answer to a question of its kind. The answer
   * is stored when `question-close` shows it.
   */
  answer(questionId: string, answer: Answer): boolean
}
