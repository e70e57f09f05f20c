import { describe, expect, it } from 'vitest'
import { decodeChoice, encodeChoice } from './choice-token.js'

describe('the token of a choice', () => {
  it('comes back as it went in, and fits into a button', () => {
    const token = encodeChoice('k7x2m9q4w1', 'allow-once')
    expect(Buffer.byteLength(token)).toBeLessThanOrEqual(64)
    expect(decodeChoice(token)).toEqual({ promptId: 'k7x2m9q4w1', optionId: 'allow-once' })
  })

  it.each([
    ['a:b', 'c'],
    ['', 'c'],
    ['a', 'ü'],
    ['a'.repeat(60), 'b'],
  ])('is not made of %j and %j', (promptId, optionId) => {
    expect(() => encodeChoice(promptId, optionId)).toThrow(expect.objectContaining({ code: 'value.invalid' }))
  })

  it.each(['', 'choice:a', 'choice:a:', 'choice:a:b:c', 'approve:a:b', 'choice:a:b\n', 'choice:a: b', `choice:a:${'b'.repeat(64)}`])(
    'is not read from %j',
    (token) => {
      expect(decodeChoice(token)).toBeUndefined()
    },
  )

  it('is not read from what is no text', () => {
    expect(decodeChoice({ toString: () => 'choice:a:b' } as unknown as string)).toBeUndefined()
  })
})
