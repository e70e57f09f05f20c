import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { closestName, HermesError, parseOptions, secret } from './index.js'

const schema = z.object({
  token: secret(),
  polling: z.object({ timeoutSeconds: z.number().int().min(1).default(30) }).prefault({}),
  proxies: z.array(z.object({ host: z.string() })).optional(),
  headers: z.looseObject({ accept: z.string().optional() }).optional(),
})

function failureOf(input: unknown): HermesError<'options.invalid'> {
  try {
    parseOptions(schema, input, 'foo()')
  } catch (error) {
    if (HermesError.is(error, 'options.invalid')) return error
  }
  throw new Error('The options were taken.')
}

describe('parseOptions', () => {
  it('fills in defaults, takes the absence of options as none, and freezes what comes out', () => {
    const options = parseOptions(schema, { token: 't' }, 'foo()')
    expect(options.polling).toEqual({ timeoutSeconds: 30 })
    expect(Object.isFrozen(options)).toBe(true)
    expect(parseOptions(z.object({ on: z.boolean().default(true) }), undefined, 'foo()')).toEqual({ on: true })
  })

  it('leaves the input as it is', () => {
    const input = { token: ' t ', polling: {}, proxies: [{ host: 'a' }] }
    const options = parseOptions(schema, input, 'foo()')
    expect(input).toEqual({ token: ' t ', polling: {}, proxies: [{ host: 'a' }] })
    expect(Object.isFrozen(input)).toBe(false)
    expect(options.polling).not.toBe(input.polling)
  })

  it('refuses an unknown key and names the likely one', () => {
    const error = failureOf({ token: 't', pollling: {} })
    expect(error.detail.issues).toEqual([{ path: 'pollling', message: 'unknown option', didYouMean: 'polling' }])
    expect(error.message).toBe('foo() cannot use these options:\n  pollling: unknown option (did you mean polling?)')
  })

  it('finds unknown keys inside objects and lists', () => {
    expect(failureOf({ token: 't', polling: { timeoutSecond: 1 }, proxies: [{ host: 'a' }, { hot: 'b' }] }).detail.issues).toEqual([
      { path: 'polling.timeoutSecond', message: 'unknown option', didYouMean: 'timeoutSeconds' },
      { path: 'proxies.1.hot', message: 'unknown option', didYouMean: 'host' },
      { path: 'proxies.1.host', message: expect.any(String) as unknown },
    ])
  })

  it('takes further keys where the schema does', () => {
    expect(parseOptions(schema, { token: 't', headers: { 'x-more': '1' } }, 'foo()').headers).toEqual({ 'x-more': '1' })
  })

  it('tells what only zod can find, too', () => {
    const records = z.object({ rooms: z.record(z.string(), z.strictObject({ id: z.string() })) })
    expect(() => parseOptions(records, { rooms: { a: { id: '1', more: 1 } } }, 'foo()')).toThrow('rooms.a.more: unknown option')
  })

  it('tells every issue at once, with its path', () => {
    const paths = failureOf({ token: '', polling: { timeoutSeconds: 'soon' }, nothing: 1 }).detail.issues.map((issue) => issue.path)
    expect(paths).toEqual(['nothing', 'token', 'polling.timeoutSeconds'])
  })

  it.each([['a string'], [42], [[]], [() => {}]])('refuses options that are no object: %s', (input) => {
    expect(failureOf(input).message).toContain('(options)')
  })

  it('shows no secret in its errors', () => {
    const error = failureOf({ token: 'the-secret-token', polling: 'the-secret-token' })
    expect(`${error.message}${JSON.stringify(error.detail)}${error.stack ?? ''}`).not.toContain('the-secret-token')
  })
})

describe('closestName', () => {
  it('knows no name that differs in more than a third of its letters', () => {
    expect(closestName('zzzzzzz', ['polling', 'token'])).toBeUndefined()
    expect(closestName('x'.repeat(1_000_000), ['polling'])).toBeUndefined()
  })

  it('disregards case and takes the nearest', () => {
    expect(closestName('TOKEN', ['tokens', 'token'])).toBe('token')
  })
})
