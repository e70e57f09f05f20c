import type { TurnOutcome } from '@hermes/plugin-sdk'
import { notices } from '../kernel/index.js'

/**
 * What a person is told at the end of a turn: the answer, a notice why there is none, or nothing where silence is meant
 * (they stopped it themselves, or the turn goes on elsewhere).
 */
export function textOfOutcome(outcome: TurnOutcome): string | undefined {
  switch (outcome.status) {
    case 'completed':
    case 'stopped':
      return outcome.text.trim() === '' ? notices['turn.empty']() : outcome.text
    case 'failed':
      return notices[`failure.${outcome.failure?.reason ?? 'unknown'}`]()
    case 'interrupted':
      return outcome.stop ? undefined : notices['turn.crashed']()
    case 'parked':
      return undefined
  }
}
