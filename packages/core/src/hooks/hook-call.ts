/** What becomes of the answers of a call's taps. It never throws. */
export interface HookFold<Payload extends object = object> {
  /** What the tap that is next gets to see. */
  readonly payload: Payload
  /** A tap answered, in the right shape. */
  accept?(answer: unknown, owner: string): void
  /** A tap failed, or was left out. */
  fail?(owner: string, why: string): void
}

/** One call of a hook, on its way through the taps. */
export class HookCall {
  readonly fold: HookFold
  readonly #onBroken: ((error: unknown) => void) | undefined
  #isOver = false
  #wake: (() => void) | undefined

  /** `onBroken` hears what ended the call before all taps had run: it came from an interceptor, as a tap cannot. */
  constructor(fold: HookFold, onBroken?: (error: unknown) => void) {
    this.fold = fold
    this.#onBroken = onBroken
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** All taps have run, or none can run any more. The first call counts. */
  end(broken?: { readonly error: unknown }): void {
    if (this.#isOver) return
    this.#isOver = true
    if (broken) this.#onBroken?.(broken.error)
    this.#wake?.()
  }

  /** Resolves at its end. Asked once. */
  over(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isOver) resolve()
      else this.#wake = resolve
    })
  }
}
