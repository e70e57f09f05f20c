import type { HookContext } from '@hermes/plugin-sdk'

/** What a tap gets beside its payload. Its signal is made when the tap asks for it: few do, and making one costs more than the call. */
export class TapContext implements HookContext {
  #controller: AbortController | undefined
  #over: { readonly reason: unknown } | undefined

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#over) this.#controller.abort(this.#over.reason)
    }
    return this.#controller.signal
  }

  /** Nobody waits for the call any more. */
  end(reason: unknown): void {
    this.#over = { reason }
    this.#controller?.abort(reason)
  }
}
