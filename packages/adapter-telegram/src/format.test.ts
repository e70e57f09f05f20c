import { describe, expect, test } from 'vitest'
import { renderMarkdown } from './format.js'

/** The entities as `type:text`, in order. */
function formatted(markdown: string): { text: string; entities: string[] } {
  const { text, entities } = renderMarkdown(markdown)
  return { text, entities: entities.map((entity) => `${entity.type}:${text.slice(entity.offset, entity.offset + entity.length)}`) }
}

describe('renderMarkdown', () => {
  test('makes entities of emphasis, code and strikethrough', () => {
    expect(formatted('**b** _i_ ~~s~~ `c`')).toEqual({ text: 'b i s c', entities: ['bold:b', 'italic:i', 'strikethrough:s', 'code:c'] })
  })

  test('counts offsets in UTF-16 units', () => {
    expect(renderMarkdown('👍 **x**').entities).toEqual([{ type: 'bold', offset: 3, length: 1 }])
  })

  test('keeps the language of a fence', () => {
    expect(renderMarkdown('```ts\na\n```')).toEqual({ text: 'a', entities: [{ type: 'pre', language: 'ts', offset: 0, length: 1 }] })
  })

  test('ends bold before code and begins it again behind', () => {
    expect(formatted('**a `b` c**').entities).toEqual(['bold:a ', 'code:b', 'bold: c'])
  })

  test('shows headings bold, once', () => {
    expect(formatted('# A **b**\n\ntext')).toEqual({ text: 'A b\n\ntext', entities: ['bold:A b'] })
  })

  test('shows lists with bullets, numbers and indented inner lists', () => {
    expect(renderMarkdown('- a\n- b\n  1. c\n  2. d').text).toBe('• a\n• b\n  1. c\n  2. d')
  })

  test('gives code in a list lines of its own that are not moved', () => {
    expect(formatted('- a\n  ```\n  b\n  c\n  ```\n- ```\n  d\n  ```')).toEqual({ text: '• a\nb\nc\n• \nd', entities: ['pre:b\nc', 'pre:d'] })
  })

  test('leaves an address of mail as it was written', () => {
    expect(renderMarkdown('a@b.org <c@d.org>')).toEqual({ text: 'a@b.org c@d.org', entities: [] })
  })

  test('keeps the first number of a list', () => {
    expect(renderMarkdown('3. a\n4. b').text).toBe('3. a\n4. b')
  })

  test('shows task lists with boxes', () => {
    expect(renderMarkdown('- [x] a\n- [ ] b').text).toBe('☑ a\n☐ b')
  })

  test('lays a table out as monospaced lines', () => {
    expect(formatted('|a|bcd|\n|-|-|\n|long|`x`|')).toEqual({
      text: 'a    | bcd\n-----+----\nlong | x',
      entities: ['pre:a    | bcd\n-----+----\nlong | x'],
    })
  })

  test('makes one quote of quotes in each other', () => {
    expect(formatted('> a\n> > b').entities).toEqual(['blockquote:a\n\nb'])
  })

  test('links web addresses, also by reference', () => {
    const link = { type: 'text_link', url: 'https://x.org/', offset: 0, length: 1 }
    expect(renderMarkdown('[a](https://x.org/)').entities).toEqual([link])
    expect(renderMarkdown('[a][r]\n\n[r]: https://x.org/')).toEqual({ text: 'a', entities: [link] })
  })

  test('shows a link that could ping a person as text', () => {
    expect(renderMarkdown('[Bob](tg://user?id=7)')).toEqual({ text: 'Bob (tg://user?id=7)', entities: [] })
  })

  test('shows HTML, rules and footnotes as text', () => {
    expect(renderMarkdown('<b>x</b>\n\n---\n\nn[^1]\n\n[^1]: foot').text).toBe('<b>x</b>\n\n———\n\nn[1]\n\n[1] foot')
  })

  test('replaces halves of surrogate pairs', () => {
    expect(renderMarkdown('a\uD800b').text).toBe('a\uFFFDb')
  })

  test('survives thousands of quotes in each other', () => {
    expect(renderMarkdown('>'.repeat(16_000)).entities).toEqual([])
  })

  test('takes 100 KB of brackets', () => {
    expect(renderMarkdown('['.repeat(100_000)).text).toHaveLength(100_000)
  })

  test('gives every random text ranges that lie in the text, are not empty and never cross', () => {
    const random = randomOf(7)
    const words = [
      '**',
      '_',
      '`',
      '~~',
      '[',
      '](https://a.b)',
      '> ',
      '- ',
      '1. ',
      '\n',
      '\n\n',
      '```\n',
      'a',
      ' ',
      '👍',
      '|',
      '|-|\n',
      '# ',
      '<i>',
      '![',
    ]
    for (let round = 0; round < 300; round++) {
      const markdown = Array.from({ length: 40 }, () => words[Math.floor(random() * words.length)]).join('')
      expect({ markdown, wrong: wrongRanges(renderMarkdown(markdown)) }).toEqual({ markdown, wrong: [] })
    }
  })
})

/** The entities that are empty, leave the text, or cross one that begins before them. */
function wrongRanges({ text, entities }: ReturnType<typeof renderMarkdown>): unknown[] {
  return entities.filter(({ offset, length }, index) => {
    const end = offset + length
    const crosses = entities.slice(0, index).some((before) => {
      const endBefore = before.offset + before.length
      return endBefore > offset && endBefore < end
    })
    return length <= 0 || end > text.length || crosses
  })
}

/** A repeatable source of chance (a linear congruence). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => (state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32) / 2 ** 32
}
