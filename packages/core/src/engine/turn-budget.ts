import type { StepBudget } from '@hermes/plugin-sdk'

/** Model calls of a turn over all its lives. */
export class TurnBudget implements StepBudget {
  readonly #limit: number
  #used: number
  #isExhausted = false

  constructor(limit: number, used: number) {
    this.#limit = limit
    this.#used = used
  }

  get remaining(): number {
    return Math.max(0, this.#limit - this.#used)
  }

  /** Somebody asked for a call that was not left. */
  get isExhausted(): boolean {
    return this.#isExhausted
  }

  take(): boolean {
    if (this.remaining === 0) {
      this.#isExhausted = true
      return false
    }
    this.#used++
    return true
  }

  refund(): void {
    this.#used = Math.max(0, this.#used - 1)
  }
}
