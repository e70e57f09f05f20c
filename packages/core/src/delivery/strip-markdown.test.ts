import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stripMarkdown } from './strip-markdown.js'

describe('stripping Markdown', () => {
  it.each([
    ['**bold** _it_ ~~gone~~ `code`', 'bold it gone code'],
    ['# Title\n\nText', 'Title\n\nText'],
    ['[name](https://a.b/c)', 'name (https://a.b/c)'],
    ['<https://a.b> and www.a.b and me@a.b', 'https://a.b and www.a.b and me@a.b'],
    ['![a cat](cat.png)', 'a cat (cat.png)'],
    ['[name][1]\n\n[1]: https://a.b', 'name (https://a.b)'],
    ['- one\n- two\n  1. deep\n  2. deeper', '- one\n- two\n  1. deep\n  2. deeper'],
    ['3. three\n4. four', '3. three\n4. four'],
    ['- [x] done\n- [ ] open', '- [x] done\n- [ ] open'],
    ['> said\n> again', '> said\n> again'],
    ['```js\nconst a = `**x**`\n```', 'const a = `**x**`'],
    ['- item\n  ```js\n  code()\n  ```\n- next', '- item\ncode()\n- next'],
    ['Before\n\n```\na_b\n```\n\nAfter', 'Before\n\na_b\n\nAfter'],
    ['| a | b |\n| - | - |\n| **1** | 2 |', 'a | b\n1 | 2'],
    ['one  \ntwo', 'one\ntwo'],
    ['a \\*b\\* &lt;c&gt;', 'a *b* <c>'],
    ['above\n\n---\n\nbelow', 'above\n\n---\n\nbelow'],
    ['fact[^1]\n\n[^1]: source', 'fact[1]\n\n[1] source'],
    ['', ''],
  ])('turns %j into %j', (markdown, plain) => {
    expect(stripMarkdown(markdown)).toBe(plain)
  })

  it('leaves a text without marks as it is, however long', () => {
    const prose = Array.from({ length: 150 }, (_, index) => `Paragraph number ${index} says little.`).join('\n\n')
    expect(stripMarkdown(prose)).toBe(prose)
  })

  it('keeps every line of a code block that is longer than a block', () => {
    const code = Array.from({ length: 2000 }, (_, index) => `line_of[${index}] = *that_one\n`).join('\n')
    expect(stripMarkdown(`\`\`\`\n${code}\n\`\`\``)).toBe(code)
  })

  it.each(['[', '[](', '**a_', '>', '- ', '`a``', '~~a', '![', '<a '])('takes 100 KB of %j in a time that grows with the length', (mark) => {
    const text = mark.repeat(100_000 / mark.length)
    expect(stripMarkdown(text).length).toBeGreaterThan(0)
  })

  it('never throws, and never loses a word', () => {
    const marks = fc.constantFrom('*', '**', '_', '`', '```', '\n', '\n\n', '[', '](u)', '> ', '- ', '1. ', '|', '~~', '#', '<', '\\', '\t', '\ud800')
    const texts = fc.array(fc.oneof(marks, fc.constantFrom('word', ' ')), { maxLength: 60 }).map((parts) => parts.join(''))
    fc.assert(fc.property(texts, (text) => typeof stripMarkdown(text) === 'string'))
    fc.assert(
      fc.property(fc.array(fc.constantFrom('*', ' ', 'word', '_', '\n\n'), { maxLength: 40 }), (parts) => {
        const count = (value: string): number => value.split('word').length
        expect(count(stripMarkdown(parts.join('')))).toBe(count(parts.join('')))
      }),
    )
  })
})
