import type { StopReason, TurnId, TurnRef } from '@hermes/plugin-sdk'

interface OpenTurn {
  readonly turn: TurnRef
  readonly controller: AbortController
}

/** The turns that run in this process, by lane. */
export class OpenTurns {
  readonly #byLane = new Map<string, OpenTurn>()

  /** Opens a turn; its signal is made here, so that it can be stopped from its first moment. */
  open(turn: Omit<TurnRef, 'signal'>): TurnRef {
    const controller = new AbortController()
    const opened: TurnRef = { ...turn, signal: controller.signal }
    this.#byLane.set(turn.lane, { turn: opened, controller })
    return opened
  }

  close(turn: TurnRef): void {
    if (this.#byLane.get(turn.lane)?.turn === turn) this.#byLane.delete(turn.lane)
  }

  has(lane: string): boolean {
    return this.#byLane.has(lane)
  }

  /** Tells the lane's turn, or this one alone, to stop; the first reason counts. `false`: it does not run here. */
  stop(lane: string, reason: StopReason, turn?: TurnId): boolean {
    const open = this.#byLane.get(lane)
    if (!open || (turn !== undefined && open.turn.id !== turn)) return false
    open.controller.abort(reason)
    return true
  }

  stopAll(reason: StopReason): void {
    for (const open of this.#byLane.values()) open.controller.abort(reason)
  }
}
