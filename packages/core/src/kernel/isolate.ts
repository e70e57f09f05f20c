import { HermesError, type Awaitable, type Clock } from '@hermes/plugin-sdk'

/** How long a foreign callback may take, and whose it is. */
export interface IsolationLimits {
  readonly clock: Clock
  readonly timeoutMs: number
  /** Names the callback in the error of a time-out: `plugin reactions: register`. */
  readonly what: string
  /** Ends the wait early; its reason is the error then. */
  readonly signal?: AbortSignal | undefined
}

/** How a foreign callback ended. */
export type Isolated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }

declare module '@hermes/plugin-sdk' {
  interface HermesErrorDetails {
    'timed-out': { readonly what: string; readonly timeoutMs: number }
  }
}

/**
 * Runs foreign code so that it can neither throw into its host nor keep it waiting. Its signal aborts when the wait is over
 * before it is done; it is left behind then, and what comes of it later is ignored.
 */
export async function isolate<T>(callback: (signal: AbortSignal) => Awaitable<T>, limits: IsolationLimits): Promise<Isolated<T>> {
  const call = new AbortController()
  const wait = new AbortController()
  const giveUp = (): void => wait.abort(limits.signal?.reason)
  limits.signal?.addEventListener('abort', giveUp, { once: true })
  try {
    limits.signal?.throwIfAborted()
    const result = callback(call.signal)
    const value = isPromiseLike(result) ? await Promise.race([result, expire(limits, wait.signal)]) : result
    return { ok: true, value }
  } catch (error) {
    call.abort(error)
    return { ok: false, error }
  } finally {
    limits.signal?.removeEventListener('abort', giveUp)
    wait.abort()
  }
}

async function expire({ clock, timeoutMs, what }: IsolationLimits, signal: AbortSignal): Promise<never> {
  await clock.sleep(timeoutMs, signal)
  throw new HermesError('timed-out', `${what} did not end within ${timeoutMs} ms and was left behind.`, { what, timeoutMs })
}

function isPromiseLike<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
