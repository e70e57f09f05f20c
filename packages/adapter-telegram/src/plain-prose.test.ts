import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './format.js'
import { isPlainProse } from './plain-prose.js'

/** What Markdown is made of, and what only looks like it. */
const pieces = [
  ['\n', '\n\n', '\n', ' ', '  ', '\t', '\r', '\0', '\v', '\f', '\u00A0', '\u2028', '\uFEFF', '\uD800'],
  [...'#>-+=|:*_~`\\[]()!<&@.,;/^$"%'],
  [
    'a',
    'Wort',
    '1',
    '12',
    '1.',
    '2)',
    'www.',
    'www',
    'WWW.A.B',
    'http://',
    'https',
    'x.y',
    'a@b.c',
    'amp;',
    '👍',
    'é',
    'y z',
    'mailto:',
    '--',
    '===',
  ],
].flat()

/** The same numbers at every run: a failure can be repeated. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** The full way: the emphasis behind the text keeps it from any short cut. */
function renderWhole(text: string): { whole: string; entities: number } {
  const rendered = renderMarkdown(`${text}\n\n*end*`)
  return { whole: rendered.text, entities: rendered.entities.length }
}

describe('plain prose', () => {
  test('is what the full rendering leaves as it is', () => {
    const next = numbersFrom(7)
    for (let count = 0; count < 800;) {
      const text = Array.from({ length: 1 + next(8) }, () => pieces[next(pieces.length)]).join('')
      if (!isPlainProse(text)) continue
      count++
      expect({ text, ...renderWhole(text) }).toEqual({ text, whole: `${text.replace(/\p{Surrogate}/gu, '\uFFFD')}\n\nend`, entities: 1 })
    }
  })

  test.each(['Hello, world!', 'message 17', 'One line.\nAnother (with 2 things): a-b + c = d?', 'Größe 12\n\n„Zitat“ 👍'])(
    'is seen in %j',
    (text) => {
      expect(isPlainProse(text)).toBe(true)
    },
  )

  test('is told from the rest in a time that grows with the length', () => {
    expect(isPlainProse(`${'a '.repeat(50_000)} `)).toBe(false)
    expect(isPlainProse(`${'a\n'.repeat(50_000)} `)).toBe(false)
    expect(isPlainProse(`${' '.repeat(50_000)}`)).toBe(false)
    expect(isPlainProse(`a${' '.repeat(100_000)}*`)).toBe(false)
  })
})
