import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { defineAdapter, HermesError, type Adapter, type SharedOptions } from './index.js'

const make = (idPattern?: RegExp) =>
  defineAdapter({ platform: 'foo', options: z.object({ url: z.string().optional() }), idPattern, create: () => ({}) as Adapter<'foo'> })

function refusalOf(options: SharedOptions, idPattern?: RegExp): string {
  try {
    make(idPattern)(options)
  } catch (error) {
    if (HermesError.is(error, 'options.invalid')) return error.message
    throw error
  }
  throw new Error('It was taken.')
}

describe('the lists of ids in the options of an adapter', () => {
  it.each([
    ['@ann', 'names change hands'],
    ['１２３', 'only look like'],
    ['1 23', 'white space'],
    ['123\u200b', 'invisible'],
    ['', 'must not be empty'],
    ['*', 'allowAll'],
  ])('refuse %j, which cannot be an immutable id, and say why', (id, why) => {
    for (const list of ['allowFrom', 'allowChats', 'allowRoles', 'admins'] as const) {
      const message = refusalOf({ [list]: ['1', id] })
      expect(message).toContain(`${list}.1: `)
      expect(message).toContain(why)
    }
  })

  it.each(['123', '-100123', 'U02ABC', '@ann:example.org', 'ann@example.org', '0123'])('take %j as it is', (id) => {
    expect(() => make()({ allowFrom: [id], allowChats: [id], allowRoles: [id], admins: [id] })).not.toThrow()
  })

  it('refuse what is no id of the platform, where that says what its ids look like', () => {
    expect(refusalOf({ allowFrom: ['0123'] }, /^[1-9]\d*$/g)).toContain('allowFrom.0: is no id of foo: must match')
    expect(refusalOf({ admins: ['12', 'ann'] }, /^[1-9]\d*$/g)).toContain('admins.1: is no id of foo')
    expect(() => make(/^[1-9]\d*$/g)({ allowFrom: ['123', '123'], allowRoles: ['crew'] })).not.toThrow()
  })
})
