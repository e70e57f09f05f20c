import { format, inspect } from 'node:util'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { hideSecret, isSecret, secret } from './index.js'

describe('a secret', () => {
  const hidden = hideSecret('hunter2')

  it('is revealed on demand alone', () => {
    expect(hidden.reveal()).toBe('hunter2')
  })

  it.each([
    ['a template', () => `Bearer ${hidden as unknown as string}`],
    ['JSON', () => JSON.stringify({ hidden, nested: [hidden] })],
    ['util.inspect', () => inspect({ hidden }, { depth: 9, showHidden: true })],
    ['util.format', () => format('%s %o %j', hidden, hidden, hidden)],
    ['its entries', () => JSON.stringify([Object.entries(hidden), Object.getOwnPropertyNames(hidden), { ...hidden }])],
    ['a clone', () => inspect(structuredClone({ hidden }))],
    ['a comparison that failed', () => inspect(new Error('failed', { cause: { hidden } }))],
  ])('does not show in %s', (_, print) => {
    expect(print()).not.toContain('hunter2')
  })

  it('is recognised across copies of the package', async () => {
    vi.resetModules()
    const copy = await import('./secret.js')
    expect(copy.hideSecret).not.toBe(hideSecret)
    expect(isSecret(copy.hideSecret('x'))).toBe(true)
    expect(copy.isSecret(hidden)).toBe(true)
  })

  it.each([[null], [undefined], ['[secret]'], [{}], [{ reveal: () => 'x' }]])('is not %j', (value) => {
    expect(isSecret(value)).toBe(false)
  })

  it('comes out of an option, trimmed; an empty one is refused', () => {
    const options = z.object({ token: secret() })
    expect(options.parse({ token: ' hunter2\n' }).token.reveal()).toBe('hunter2')
    expect(options.safeParse({ token: '  ' }).error?.issues[0]?.message).toBe('must not be empty')
    expect(options.safeParse({}).error?.issues[0]?.message).toBe('must be a string')
  })
})
