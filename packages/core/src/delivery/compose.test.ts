import { describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { chatOf, quiet, setUpDelivery, ScriptedAdapter } from './delivery-rig.js'

const ann = chatOf('ann')

async function composed(text: string, size: { limit: number; unit: 'codePoints' | 'utf16' }): Promise<string[]> {
  const { delivery, adapter } = await setUpDelivery({ clock: new FakeClock() })
  adapter.text = { ...size, dialect: 'markdown' }
  return delivery.compose(ann, text).map((row) => row.message.text)
}

describe('composing rows', () => {
  // adapters 12
  it('splits by the limit of the chat and numbers the pieces', async () => {
    const pieces = await composed('x'.repeat(5000), { limit: 2000, unit: 'codePoints' })
    expect(pieces.map((text) => text.length)).toEqual([1992, 1992, 1034])
    expect(pieces.map((text) => text.slice(-6))).toEqual([' (1/3)', ' (2/3)', ' (3/3)'])
  })

  // adapters 13
  it('counts as the platform does', async () => {
    const text = '😀'.repeat(30)
    expect(await composed(text, { limit: 40, unit: 'codePoints' })).toHaveLength(1)
    const pieces = await composed(text, { limit: 40, unit: 'utf16' })
    expect(pieces.map((piece) => [...piece].filter((character) => character === '😀').length)).toEqual([13, 13, 4])
    expect(pieces.every((piece) => piece.isWellFormed())).toBe(true)
  })

  // adapters 14
  it('closes a fence at the end of a piece and opens it again in the next', async () => {
    const code = Array.from({ length: 8 }, (_, index) => `line ${index}`).join('\n')
    const pieces = await composed(`\`\`\`py\n${code}\n\`\`\``, { limit: 60, unit: 'codePoints' })
    expect(pieces).toHaveLength(2)
    for (const piece of pieces) expect(piece).toMatch(/^```py\n[^`]*```\s*\(\d\/2\)$/)
  })

  it('gives every piece its own key, and the first one alone the message that it answers', async () => {
    const { delivery, adapter } = await setUpDelivery({ clock: new FakeClock() })
    adapter.text = { limit: 40, unit: 'utf16', dialect: 'markdown' }
    const rows = delivery.compose(ann, 'word '.repeat(20), { replyTo: '7' })
    expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length)
    expect(rows.map((row) => row.message.replyTo)).toEqual(['7', ...rows.slice(1).map(() => undefined)])
    expect(rows.map((row) => row.piece)).toEqual(rows.map((_, index) => ({ index, count: rows.length })))
  })

  it('makes no row of a blank text', async () => {
    const { delivery } = await setUpDelivery({ clock: new FakeClock() })
    expect(delivery.compose(ann, ' \n ')).toEqual([])
  })

  it('delivers a text of a megabyte whole', async () => {
    const adapter = new ScriptedAdapter()
    const { delivery, post, texts } = await setUpDelivery({ clock: new FakeClock(), adapter })
    const words = Array.from({ length: 170_000 }, (_, index) => index.toString(36).padStart(5, '0'))
    const rows = await post(ann, words.join(' '))
    for (let turn = 0; turn < 200 && delivery.status().sent < rows.length; turn++) await quiet()
    const shown = texts().flatMap((text) => text.replace(/ \(\d+\/\d+\)$/, '').split(' '))
    expect(shown).toEqual(words)
    await delivery.stop()
  })
})
