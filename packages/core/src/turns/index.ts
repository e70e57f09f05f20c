// Waiting messages of a conversation come in; ended turns go out, one at a time and in order.

export { createLocalDispatch, type Drain, type LaneDispatch } from './lane-dispatch.js'
export type { LiveAnswer, RunningTurn, TurnDelivery, TurnEngine, TurnJournal, TurnPorts, TurnStart } from './ports.js'
export type { RunCaller } from './runs.js'
export { createTurns, type Turns } from './turns.js'
