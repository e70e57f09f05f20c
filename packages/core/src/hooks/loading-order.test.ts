import { definePlugin } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { loadingOrder } from './index.js'

/** `b:a c` is plugin b, which requires a and c. */
function order(...plugins: readonly string[]) {
  const entries = plugins.map((text) => {
    const [id = '', requires = ''] = text.split(':')
    return definePlugin({ id, requires: requires.split(' ').filter(Boolean), register: () => {} })
  })
  const { entries: ordered, circles } = loadingOrder(entries)
  return { ids: ordered.map(({ plugin }) => plugin.id).join(' '), circles, requires: ordered.map(({ plugin }) => plugin.requires) }
}

describe('plugins that require others', () => {
  // plugins 6
  it('come behind them, and all others stay as listed', () => {
    expect(order('z', 'a:b', 'y', 'b:c', 'c').ids).toBe('z y c b a')
    expect(order('b', 'a', 'c').ids).toBe('b a c')
  })

  it('still require what is not there', () => {
    expect(order('a:nobody')).toEqual({ ids: 'a', circles: [], requires: [['nobody']] })
  })

  // plugins 7
  it('come in alphabetically when they require each other, and the circle is named', () => {
    expect(order('b:a', 'a:b')).toEqual({ ids: 'a b', circles: [['a', 'b']], requires: [[], ['a']] })
    expect(order('c:b', 'b:a', 'a:c', 'd:c')).toMatchObject({ ids: 'a b c d', circles: [['a', 'b', 'c']] })
  })

  it('are let out of their circle only: what they require besides comes before them', () => {
    expect(order('a:b outside', 'b:a', 'outside', 'y:x', 'x:y').ids).toBe('outside a b x y')
  })

  it('ignore that a plugin requires itself, and two of one name', () => {
    expect(order('a:a').ids).toBe('a')
    expect(order('a', 'a', 'b:a').ids).toBe('a a b')
  })
})
