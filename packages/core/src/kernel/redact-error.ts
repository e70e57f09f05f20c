import { HermesError } from '@hermes/plugin-sdk'

const longestChain = 4

/**
 * A foreign error as it may leave hermes: a copy with its name, code, message, stack and causes (at most 4), secrets taken out.
 * What else hung onto it is left behind. A `HermesError` is kept as it is where no secret stands in it. It never throws: an error that
 * cannot be read, such as one whose getters throw, becomes one that says so.
 */
export function redactError(error: unknown, redact: (text: string) => string): Error {
  try {
    return copyError(error, redact, longestChain)
  } catch {
    return new Error('Something that cannot be read was thrown.')
  }
}

function copyError(error: unknown, redact: (text: string) => string, chain: number): Error {
  if (!(error instanceof Error)) return new Error(redact(`Something that is no error was thrown: ${describeThrown(error)}`))
  const cause = error.cause === undefined || chain <= 1 ? undefined : copyError(error.cause, redact, chain - 1)
  const message = redact(error.message)
  if (HermesError.is(error) && cause === error.cause && message === error.message) return error
  const copy = Object.assign(new Error(message, cause ? { cause } : undefined), 'code' in error ? { code: error.code } : {})
  copy.name = typeof error.name === 'string' ? error.name : 'Error'
  copy.stack = redact(error.stack ?? `${error.name}: ${error.message}`)
  return copy
}

function describeThrown(value: unknown): string {
  try {
    return String(value)
  } catch {
    return typeof value
  }
}
