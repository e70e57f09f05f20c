import { describe, expect, it, vi } from 'vitest'
import { adapterError, HermesError } from './index.js'

describe('HermesError', () => {
  const cause = new Error('disk full')
  const error = new HermesError('inbox.unavailable', 'Nothing was stored.', { retryAfterMs: 5 }, { cause })

  it('says what, and carries its detail and its cause', () => {
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({
      name: 'HermesError',
      code: 'inbox.unavailable',
      message: 'Nothing was stored.',
      detail: { retryAfterMs: 5 },
      cause,
    })
  })

  it('is recognised with and without its code', () => {
    expect(HermesError.is(error)).toBe(true)
    expect(HermesError.is(error, 'inbox.unavailable')).toBe(true)
    expect(HermesError.is(error, 'stopped')).toBe(false)
  })

  it('is recognised across copies of the package', async () => {
    vi.resetModules()
    const copy = await import('./errors.js')
    expect(copy.HermesError).not.toBe(HermesError)
    expect(copy.HermesError.is(error, 'inbox.unavailable')).toBe(true)
    expect(HermesError.is(new copy.HermesError('stopped', 'over', { what: 'gateway' }), 'stopped')).toBe(true)
  })

  it.each([[null], [undefined], ['stopped'], [new Error('stopped')], [{ code: 'stopped' }]])('is not %o', (value) => {
    expect(HermesError.is(value)).toBe(false)
  })
})

describe('adapterError', () => {
  it('wraps a failure with its message and cause', () => {
    const failure = { code: 'credentials', message: 'The token is wrong.', isRetryable: false, cause: new Error('401') } as const
    const error = adapterError(failure)
    expect(HermesError.is(error, 'adapter.failed')).toBe(true)
    expect(error).toMatchObject({ message: 'The token is wrong.', detail: failure, cause: failure.cause })
  })

  it('has no cause where the failure has none', () => {
    expect(Object.hasOwn(adapterError({ code: 'network', message: 'gone', isRetryable: true }), 'cause')).toBe(false)
  })
})
