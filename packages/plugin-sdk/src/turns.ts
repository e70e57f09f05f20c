import type { RoutedChat } from './addresses.js'
import type { TurnId } from './transcript.js'

/** One life of a turn. `id` names the turn over all its lives; lane and epoch fence the writes of this one and own what it starts. */
export interface TurnRef {
  readonly id: TurnId
  readonly lane: string
  readonly epoch: number
  readonly sessionKey?: string | undefined
  readonly chat?: RoutedChat | undefined
  /** Aborts with a `StopReason` when this life is to end. */
  readonly signal: AbortSignal
}

/** May what the turn started be reaped? What came of it is its `TurnOutcome`. */
export type TurnState = 'open' | 'settled' | 'abandoned'
