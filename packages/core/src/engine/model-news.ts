import type { AgentFailure, Clock, Finish, ModelCall, ModelRef, TurnRef, Usage } from '@hermes/plugin-sdk'
import type { TurnHooks } from './turn-hooks.js'

/** Whom the news are about, and who hears them. */
export interface ModelNewsParts {
  readonly turn: TurnRef
  readonly hooks: TurnHooks
  readonly clock: Clock
}

/**
 * Tells plugins of the calls of the model. It goes by what the runtime yields, so that every runtime whose steps are shown has these hooks.
 * Of a call that a stop cut off nobody hears the end.
 */
export class ModelNews {
  readonly #parts: ModelNewsParts
  #call: { readonly about: ModelCall; readonly since: number } | undefined
  #attempt = 0

  constructor(parts: ModelNewsParts) {
    this.#parts = parts
  }

  /** A model is asked; again, where its last call failed. */
  started(model: ModelRef): void {
    const { turn, hooks, clock } = this.#parts
    this.#attempt++
    const about = { turn, model, attempt: this.#attempt }
    this.#call = { about, since: clock.now() }
    if (hooks.isTapped('preModelCall')) hooks.preModelCall({ ...about })
  }

  ended(finish: Finish, usage: Usage): void {
    const call = this.#end()
    this.#attempt = 0
    if (call && this.#parts.hooks.isTapped('postModelCall')) this.#parts.hooks.postModelCall({ ...call, finish, usage })
  }

  failed(failure: AgentFailure, willRetry: boolean): void {
    const call = this.#end()
    if (call && this.#parts.hooks.isTapped('modelError')) this.#parts.hooks.modelError({ ...call, failure, willRetry })
  }

  wrote(kind: 'text' | 'reasoning', text: string): void {
    const { turn, hooks } = this.#parts
    if (hooks.isTapped('streamDelta')) hooks.streamDelta({ turn, kind, text })
  }

  #end(): (ModelCall & { readonly durationMs: number }) | undefined {
    const call = this.#call
    this.#call = undefined
    return call && { ...call.about, durationMs: this.#parts.clock.now() - call.since }
  }
}
