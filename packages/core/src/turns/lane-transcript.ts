import type { Transcript, TurnFact } from '../store/index.js'
import { freeze } from './frozen-copy.js'

/**
 * The transcript of a lane as this process knows it: what a claim brought, and what the store took since. It is frozen, because it
 * outlives the turn: what an agent did to a message would else be read by the next turn, and be nowhere in the store.
 */
export class LaneTranscript {
  #current: Transcript
  /** Characters of it as JSON. */
  #size: number
  #epoch = 0

  constructor(stored: Transcript) {
    this.#current = freeze(stored)
    this.#size = sizeOf(stored)
  }

  get current(): Transcript {
    return this.#current
  }

  get size(): number {
    return this.#size
  }

  /** The epoch of the turn that ended last: behind it this is all that the store holds. */
  get epoch(): number {
    return this.#epoch
  }

  /** The store took these, which are frozen and as it keeps them. */
  take(facts: readonly TurnFact[]): void {
    const messages = [...this.#current.messages]
    const states = new Map(Object.entries(this.#current.states))
    let { snapshot } = this.#current
    for (const fact of facts) {
      switch (fact.kind) {
        case 'message':
          this.#size += sizeOf(fact.message)
          messages.push(fact.message)
          break
        case 'state':
          this.#size += sizeOf(fact.state) - sizeOf(states.get(fact.runtime))
          states.set(fact.runtime, fact.state)
          break
        case 'snapshot':
          this.#size += sizeOf(fact.snapshot) - sizeOf(snapshot)
          snapshot = fact.snapshot
          break
        case 'intent':
        case 'question':
        case 'answer':
          // They end with their turn; what starts from here is another one.
          break
      }
    }
    this.#current = { ...this.#current, messages, states: Object.fromEntries(states), snapshot }
  }

  /** The turn that was claimed under this epoch has ended. */
  end(epoch: number): void {
    this.#current = { ...this.#current, intents: [] }
    this.#epoch = epoch
  }
}

function sizeOf(data: unknown): number {
  return data === undefined ? 0 : JSON.stringify(data).length
}
