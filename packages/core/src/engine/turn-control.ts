import type { StopReason } from '@hermes/plugin-sdk'

/** Why a turn does not go on. */
export type Conclusion =
  | { readonly kind: 'returned' }
  /** An earlier life died while a tool ran that must not be repeated. */
  | { readonly kind: 'crashed' }
  | { readonly kind: 'stopped'; readonly reason: StopReason }
  | { readonly kind: 'failed'; readonly error: unknown }

/**
 * The two ends of a turn: `stop` tells everybody to come to an end, `cut` goes on without those who did not. One promise and one
 * signal serve the whole turn, so that events and waits cost no listeners.
 */
export class TurnControl {
  readonly #stop = new AbortController()
  readonly #conclusion: Promise<Conclusion>
  readonly #cut: Promise<void>
  #conclude: (conclusion: Conclusion) => void = () => undefined
  #release: () => void = () => undefined
  #isCut = false

  constructor() {
    this.#conclusion = new Promise((resolve) => (this.#conclude = resolve))
    this.#cut = new Promise((resolve) => (this.#release = resolve))
  }

  /** Its reason is a `StopReason`. */
  get signal(): AbortSignal {
    return this.#stop.signal
  }

  /** Why it was told to stop, if it was. */
  get reason(): StopReason | undefined {
    return this.#stop.signal.aborted ? (this.#stop.signal.reason as StopReason) : undefined
  }

  /** Resolves at the first stop or broken write. */
  get interrupted(): Promise<Conclusion> {
    return this.#conclusion
  }

  /** Resolves when the turn goes on without what still runs. */
  get whenCut(): Promise<void> {
    return this.#cut
  }

  get isCut(): boolean {
    return this.#isCut
  }

  /** The first reason wins. */
  stop(reason: StopReason): void {
    if (this.#stop.signal.aborted) return
    this.#stop.abort(reason)
    this.#conclude({ kind: 'stopped', reason })
  }

  /** Something broke that nobody awaits. */
  fail(error: unknown): void {
    this.#conclude({ kind: 'failed', error })
  }

  cut(): void {
    this.#isCut = true
    this.#release()
  }
}
