import type { AgentRun } from './agent-run.js'
import type { HostedTurn } from './hosted-turn.js'
import { stopReason } from '../kernel/index.js'
import { TurnLife } from './turn-life.js'

/**
 * Runs one life of a turn for any runtime: the door for hosts that keep transcripts themselves. Whatever the runtime does, the
 * result comes within the grace after a stop. Throws `name.taken` when the runtime and the host bring tools of one name.
 */
export function hostTurn(turn: HostedTurn): AgentRun {
  const life = new TurnLife(turn)
  return {
    events: life.events,
    result: life.run(),
    steer: (text) => life.steer(text),
    stop: (kind = 'stop') => life.stop(stopReason(kind)),
    answer: (questionId, answer) => life.answer(questionId, answer),
  }
}
