import type { Clock } from '@hermes/plugin-sdk'

/** A signal that comes later than another. */
export interface LateSignal extends Disposable {
  readonly signal: AbortSignal
}

/** Aborts some time after `signal`, with its reason: those who are told to end have so long. Disposed, it waits for nothing more. */
export function afterGrace(signal: AbortSignal, { clock, graceMs }: { readonly clock: Clock; readonly graceMs: number }): LateSignal {
  const late = new AbortController()
  const over = new AbortController()
  const begin = (): void => {
    clock.sleep(graceMs, over.signal).then(
      () => late.abort(signal.reason),
      () => undefined,
    )
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return {
    signal: late.signal,
    [Symbol.dispose]() {
      signal.removeEventListener('abort', begin)
      over.abort()
    },
  }
}
