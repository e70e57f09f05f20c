import { HermesError, type AdapterFailure } from '@hermes/plugin-sdk'

/** A platform that asks for more is asked again after a day. */
const longestWaitMs = 86_400_000

/** What a throw of an adapter says. What says nothing itself, or cannot be read, is retryable. */
export function toAdapterFailure(error: unknown): AdapterFailure {
  try {
    return readFailure(error)
  } catch {
    return { code: 'protocol', message: 'The adapter threw something that cannot be read.', isRetryable: true }
  }
}

function readFailure(error: unknown): AdapterFailure {
  if (HermesError.is(error, 'adapter.failed')) return soundFailure(error.detail)
  if (HermesError.is(error, 'adapter.not-wired')) return { code: 'misconfigured', message: error.message, isRetryable: false, cause: error }
  if (HermesError.is(error, 'timed-out')) return { code: 'network', message: error.message, isRetryable: true, cause: error }
  return soundFailure({ code: 'protocol', message: error instanceof Error ? error.message : String(error), isRetryable: true, cause: error })
}

/** The failure as plain JavaScript may have made it, with every member of its type. */
export function soundFailure(failure: Partial<AdapterFailure> | undefined): AdapterFailure {
  const { code, message, isRetryable, retryAfterMs, cause } = failure ?? {}
  return {
    code: typeof code === 'string' ? code : 'protocol',
    message: typeof message === 'string' && message !== '' ? message : 'The adapter did not say why.',
    isRetryable: isRetryable !== false,
    retryAfterMs: typeof retryAfterMs === 'number' && retryAfterMs > 0 ? Math.min(retryAfterMs, longestWaitMs) : undefined,
    cause,
  }
}
