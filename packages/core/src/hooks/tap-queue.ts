import { callInTurn } from '../kernel/index.js'
import { HookCall } from './hook-call.js'
import type { IsolatedTap } from './isolated-tap.js'

/** Payloads that wait for one tap. Beyond it the oldest are dropped: what is new tells more. */
const longestQueue = 256

/** Calls a tap later, one payload after another, so that nobody has to wait for it. */
export class TapQueue {
  readonly #tap: IsolatedTap
  #waiting: object[] = []
  #isRunning = false

  constructor(tap: IsolatedTap) {
    this.#tap = tap
  }

  push(payload: object): void {
    if (this.#tap.isDisposed) return
    this.#waiting.push(payload)
    if (this.#waiting.length > longestQueue) {
      this.#waiting.shift()
      this.#tap.record.dropped()
    }
    if (this.#isRunning) return
    this.#isRunning = true
    queueMicrotask(() => void this.#drain())
  }

  async #drain(): Promise<void> {
    for (let payload = this.#waiting.shift(); payload; payload = this.#waiting.shift()) {
      if (this.#tap.isDisposed) this.#waiting = []
      else await callInTurn(() => this.#tap.run(new HookCall({ payload })))
    }
    this.#isRunning = false
  }
}
