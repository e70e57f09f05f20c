import { describe, expect, it } from 'vitest'
import { randomIds } from './index.js'

describe('random ids', () => {
  it('are of base32, say their kind, and never come twice, however many are drawn', () => {
    const ids = Array.from({ length: 2000 }, () => [randomIds.next('turn'), randomIds.key()] as const)
    expect(new Set(ids.flat()).size).toBe(4000)
    for (const [id, key] of ids) {
      expect(id).toMatch(/^turn_[\da-z]{9}[a-z2-7]{16}$/)
      expect(key).toMatch(/^[a-z2-7]{24}$/)
    }
  })
})
