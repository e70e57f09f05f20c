import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { textLength } from './index.js'

describe('textLength', () => {
  it('counts an emoji as one code point and as two UTF-16 units', () => {
    expect(textLength('a😀', 'codePoints')).toBe(2)
    expect(textLength('a😀', 'utf16')).toBe(3)
  })

  it('counts unpaired surrogates one by one', () => {
    expect(textLength('\ude00\ud83d\ud83dx', 'codePoints')).toBe(4)
  })

  it('agrees with the iteration of JavaScript', () => {
    const units = fc.array(fc.constantFrom('a', '😀', '\ud83d', '\ude00'))
    fc.assert(
      fc.property(units, (parts) => {
        expect(textLength(parts.join(''), 'codePoints')).toBe(Array.from(parts.join('')).length)
      }),
    )
  })
})
