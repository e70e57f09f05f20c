import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitText, textLength, type LengthUnit } from './index.js'

const indicator = /[ \n]\((\d+)\/(\d+)\)$/
const units = ['codePoints', 'utf16'] as const satisfies readonly LengthUnit[]

/** A text of words, lines, code, emoji, unpaired surrogates and blanks: what splitting can get wrong. */
const awkwardText = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom('word', 'x', ' ', '  ', '\n', '\n\n', '\t', '😀', '`', '``', '\\`', '\ud83d', '\ude00', 'ümlaut') },
      { weight: 1, arbitrary: fc.constantFrom('\n```py\n', '\n```\n', '\n~~~~\n', '```', '\n````md\n', '    indented\n', '-'.repeat(40)) },
    ),
    { maxLength: 120 },
  )
  .map((parts) => parts.join(''))
const plainText = fc
  .array(fc.constantFrom('word', 'x', ' ', '\n', '😀', '\ud83d', '\ude00', 'a`b', 'ümlaut'), { maxLength: 200 })
  .map((parts) => parts.join(''))

function withoutIndicators(pieces: readonly string[]): string {
  return pieces.map((piece) => piece.replace(indicator, '')).join('')
}

function surrogates(text: string): number {
  return text.match(/\p{Surrogate}/gu)?.length ?? 0
}

describe('splitText', () => {
  it('leaves a text that fits as it is', () => {
    expect(splitText('  as it is\n', { limit: 12, unit: 'utf16' })).toEqual(['  as it is\n'])
    expect(splitText('', { limit: 1, unit: 'utf16' })).toEqual([''])
  })

  it('makes one piece where there is no limit', () => {
    const text = 'x'.repeat(100_000)
    expect(splitText(text, { limit: Infinity, unit: 'codePoints' })).toEqual([text])
  })

  it('cuts a text without blanks hard and numbers the pieces', () => {
    // adapters 12
    const pieces = splitText('x'.repeat(5000), { limit: 2000, unit: 'codePoints' })
    expect(pieces.map((piece) => piece.length)).toEqual([1992, 1992, 1034])
    expect(pieces.map((piece) => indicator.exec(piece)?.[0])).toEqual([' (1/3)', ' (2/3)', ' (3/3)'])
  })

  it('counts in the unit of the platform and leaves surrogate pairs whole', () => {
    // adapters 13
    const text = '😀'.repeat(30)
    expect(splitText(text, { limit: 40, unit: 'codePoints' })).toEqual([text])
    expect(splitText(text, { limit: 40, unit: 'utf16' })).toEqual([`${'😀'.repeat(13)} (1/3)`, `${'😀'.repeat(13)} (2/3)`, `${'😀'.repeat(4)} (3/3)`])
  })

  it('closes a fence at the end of a piece and opens it again in the next', () => {
    // adapters 14
    const lines = Array.from({ length: 8 }, (_, index) => `line ${index}()`)
    const pieces = splitText(['```py', ...lines, '```'].join('\n'), { limit: 60, unit: 'codePoints' })
    expect(pieces).toEqual([['```py', ...lines.slice(0, 4), '```', '(1/2)'].join('\n'), ['```py', ...lines.slice(4), '```', '(2/2)'].join('\n')])
  })

  it('prefers the end of a line, then the end of a word', () => {
    expect(splitText(`${'a'.repeat(20)}\n${'b'.repeat(20)}`, { limit: 40, unit: 'utf16' })).toEqual([
      `${'a'.repeat(20)} (1/2)`,
      `${'b'.repeat(20)} (2/2)`,
    ])
    expect(splitText(`aa\n${'b'.repeat(18)} ${'c'.repeat(20)}`, { limit: 40, unit: 'utf16' })).toEqual([
      `aa\n${'b'.repeat(18)} (1/2)`,
      `${'c'.repeat(20)} (2/2)`,
    ])
  })

  it('does not cut inline code that begins in the last three quarters', () => {
    const [first, second] = splitText(`${'a'.repeat(20)} \`run it now\` ${'b'.repeat(20)}`, { limit: 43, unit: 'utf16' })
    expect(first).toBe(`${'a'.repeat(20)} (1/2)`)
    expect(second).toBe(`\`run it now\` ${'b'.repeat(20)} (2/2)`)
  })

  it('keeps the indentation of code at a cut', () => {
    const pieces = splitText(`\`\`\`py\n${'    indented()\n'.repeat(6)}\`\`\``, { limit: 80, unit: 'utf16' })
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces) expect(piece).toMatch(/^```py\n {4}indented/)
  })

  it('shows no empty code block where a fence opens or closes at the cut', () => {
    const opens = splitText(`${'a'.repeat(40)}\n\`\`\`py\n${'b'.repeat(30)}\n\`\`\``, { limit: 64, unit: 'utf16' })
    expect(opens).toEqual([`${'a'.repeat(40)} (1/2)`, `\`\`\`py\n${'b'.repeat(30)}\n\`\`\`\n(2/2)`])
    const closes = splitText(`\`\`\`py\n${'b'.repeat(40)}\n\`\`\`\nand ${'c'.repeat(40)}`, { limit: 64, unit: 'utf16' })
    expect(closes).toEqual([`\`\`\`py\n${'b'.repeat(40)}\n\`\`\`\n(1/2)`, `and ${'c'.repeat(40)} (2/2)`])
  })

  it('closes a fence by the mark that opened it', () => {
    const code = Array.from({ length: 12 }, (_, index) => `\`\`\` ${index}`).join('\n')
    const pieces = splitText(`\`\`\`\`\`\`md\n${code}\n\`\`\`\`\`\``, { limit: 70, unit: 'utf16' })
    for (const piece of pieces) expect(piece).toMatch(/^`{6}md\n(?:`{3} \d+\n)+`{6}\n\(\d\/\d\)$/)
  })

  it.each([9, 10, 99, 100, 999, 1000, 1001])('keeps the room that the indicators of about %i pieces need', (count) => {
    const limit = 40
    const pieces = splitText('x'.repeat((limit - 14) * count), { limit, unit: 'utf16' })
    expect(pieces.length).toBeGreaterThanOrEqual(count)
    expect(pieces.at(-1)).toMatch(new RegExp(`\\(${pieces.length}/${pieces.length}\\)$`))
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(limit)
  })

  it.each(units)('never exceeds the limit, however small, in %s', (unit) => {
    fc.assert(
      fc.property(awkwardText, fc.integer({ min: 2, max: 90 }), (text, limit) => {
        for (const piece of splitText(text, { limit, unit })) expect(textLength(piece, unit)).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 400 },
    )
  })

  it.each(units)('cuts no surrogate pair and loses no unpaired surrogate, in %s', (unit) => {
    fc.assert(
      fc.property(plainText, fc.integer({ min: 1, max: 90 }), (text, limit) => {
        expect(surrogates(splitText(text, { limit, unit }).join('|'))).toBe(surrogates(text))
      }),
    )
  })

  it.each(units)('preserves the text but for blanks, in %s', (unit) => {
    fc.assert(
      fc.property(plainText, fc.integer({ min: 1, max: 90 }), (text, limit) => {
        expect(withoutIndicators(splitText(text, { limit, unit })).replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
      { numRuns: 300 },
    )
  })

  it('preserves text and code but for fences', () => {
    const code = fc
      .array(fc.constantFrom('call()', '  if', 'x = 1', ''), { minLength: 1, maxLength: 20 })
      .map((lines) => `\`\`\`py\n${lines.join('\n')}\n\`\`\``)
    const prose = fc.array(fc.constantFrom('word', 'other', 'and'), { maxLength: 20 }).map((words) => words.join(' '))
    const essence = (text: string) => text.replace(/^```(?:py)?$/gm, '').replace(/\s/g, '')
    fc.assert(
      fc.property(fc.array(fc.oneof(code, prose), { maxLength: 8 }), fc.integer({ min: 30, max: 120 }), (blocks, limit) => {
        const text = blocks.join('\n')
        const pieces = splitText(text, { limit, unit: 'utf16' })
        expect(essence(pieces.map((piece) => piece.replace(indicator, '')).join('\n'))).toBe(essence(text))
      }),
    )
  })

  it.each([
    ['backticks', '`'],
    ['newlines', '\n'],
    ['blanks', ' '],
    ['emoji', '😀'],
    ['words', 'word '],
    ['fences', '```\n'],
    ['indented fences', ' \t```'],
  ])('takes time in proportion to a text of %s', (_, part) => {
    const text = part.repeat(Math.ceil(1_000_000 / part.length))
    for (const limit of [4096, 600_000]) {
      const longest = splitText(text, { limit, unit: 'codePoints' }).reduce((most, piece) => Math.max(most, textLength(piece, 'codePoints')), 0)
      expect(longest).toBeLessThanOrEqual(limit)
    }
  })

  it('answers a text of nothing but blanks with one empty piece', () => {
    expect(splitText(' \n'.repeat(50), { limit: 20, unit: 'utf16' })).toEqual([''])
  })

  it('lets only a surrogate pair exceed a limit of one unit', () => {
    expect(splitText('a😀b', { limit: 1, unit: 'utf16' })).toEqual(['a', '😀', 'b'])
  })

  it.each([0, -5, Number.NaN])('refuses a limit of %s', (limit) => {
    expect(() => splitText('x', { limit, unit: 'utf16' })).toThrow('needs a limit of at least 1')
  })
})
