import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { memoryStore } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createPluginStorage } from './plugin-storage.js'
import { createStoreGate } from './store-gate.js'

async function openStorage(gate = Promise.resolve()) {
  const clock = new FakeClock()
  const store = memoryStore({ clock })
  await store.open()
  const of = (plugin: string) => createPluginStorage(plugin, { store, clock, whenOpen: gate })
  return { clock, of, notes: of('mine').collection('notes', z.object({ text: z.string().max(100_000) })) }
}

const note = (key: string, text = key) => ({ key, value: { text } })

describe('the storage of a plugin', () => {
  it('keeps values with versions, and lets nobody write over what somebody else wrote meanwhile', async () => {
    const { notes } = await openStorage()
    const first = await notes.put({ ...note('a'), ifVersion: 'absent' })
    expect(first).toEqual({ key: 'a', value: { text: 'a' }, version: expect.any(Number) })
    const second = await notes.put({ ...note('a', 'b'), ifVersion: first?.version })
    expect(await notes.put({ ...note('a', 'c'), ifVersion: first?.version })).toBeUndefined()
    expect(await notes.get('a')).toEqual(second)
    expect([await notes.delete('a', first?.version), await notes.delete('a', second?.version), await notes.delete('a')]).toEqual([false, true, false])
  })

  it('shows each plugin its own', async () => {
    const { of, notes } = await openStorage()
    await notes.put(note('a'))
    expect(await of('other').collection('notes', z.unknown()).list()).toEqual([])
  })

  it('lists a prefix page by page, and forgets what has expired', async () => {
    const { clock, notes } = await openStorage()
    await notes.batch([note('x/1'), note('x/2'), { ...note('x/3'), expiresAt: clock.now() + 10 }, note('y/1')])
    const keys = async (range: object) => (await notes.list(range)).map(({ key }) => key)
    expect(await keys({ prefix: 'x/', limit: 2 })).toEqual(['x/1', 'x/2'])
    expect(await keys({ prefix: 'x/', after: 'x/2' })).toEqual(['x/3'])
    await clock.advance(10)
    expect(await keys({ prefix: 'x/', after: 'x/2' })).toEqual([])
  })

  it('does all writes of a batch, or none', async () => {
    const { notes } = await openStorage()
    await notes.put(note('a'))
    expect(await notes.batch([note('b'), { ...note('a'), ifVersion: 'absent' }])).toBe(false)
    expect(await notes.get('b')).toBeUndefined()
    expect(await notes.batch([note('b'), { key: 'a', isDeleted: true }])).toBe(true)
    expect((await notes.list()).map(({ key }) => key)).toEqual(['b'])
  })

  it('refuses a value that does not fit its schema, going in and coming out, and says where', async () => {
    const { of, notes } = await openStorage()
    await expect(notes.put({ key: 'a', value: { text: 7 } } as never)).rejects.toMatchObject({
      code: 'value.invalid',
      detail: { where: 'collection notes of plugin mine', issues: [expect.stringContaining('a.text')] },
    })
    expect(await notes.get('a')).toBeUndefined()
    await notes.put(note('a'))
    const stricter = of('mine').collection('notes', z.object({ text: z.string().min(5) }))
    await expect(stricter.get('a')).rejects.toThrow('another shape')
    await expect(stricter.list()).rejects.toThrow('another shape')
  })

  it('refuses what JSON would change', async () => {
    const storage = (await openStorage()).of('mine')
    await expect(storage.collection('dates', z.date()).put({ key: 'a', value: new Date(0) })).rejects.toThrow('does not come back from JSON')
    const lengths = storage.collection('lengths', z.string().transform((text) => text.length) as never)
    await expect(lengths.put({ key: 'a', value: 'four' as never })).rejects.toThrow('does not come back from JSON')
    for (const value of [undefined, () => {}, 1n]) {
      await expect(storage.collection('any', z.unknown()).put({ key: 'a', value })).rejects.toThrow('no JSON')
    }
  })

  it('bounds values, keys, lists, batches and names', async () => {
    const { of, notes } = await openStorage()
    await expect(notes.put(note('a', 'x'.repeat(66_000)))).rejects.toThrow('65536 are allowed')
    for (const key of ['', 'x'.repeat(257), 'a\nb', '\uD800', 7]) await expect(notes.get(key as string)).rejects.toThrow('a key must be')
    for (const limit of [0, 201, 1.5]) await expect(notes.list({ limit })).rejects.toThrow('limit must be')
    await expect(notes.batch(Array.from({ length: 101 }, (_, index) => note(`${index}`)))).rejects.toThrow('at most 100 writes')
    await expect(notes.batch([note('a'), note('a')])).rejects.toThrow('each key once')
    expect(() => of('mine').collection('../x', z.unknown())).toThrow('must match')
  })

  it('waits for the store to open, and gives up when the house closes before', async () => {
    const house = new AbortController()
    const gate = createStoreGate(house.signal)
    const { notes } = await openStorage(gate.whenOpen)
    const put = notes.put(note('a'))
    gate.open()
    expect(await put).toMatchObject({ key: 'a' })
    house.abort()
    expect(await notes.get('a')).toMatchObject({ key: 'a' })
    const closed = (await openStorage(createStoreGate(house.signal).whenOpen)).notes
    await expect(closed.get('a')).rejects.toMatchObject({ code: 'stopped' })
  })
})
