/**
 * A line that begins with nothing that could open a block (a list, a quote, a heading, the rule of a table, an indented code),
 * holds nothing that could open formatting, and does not end with a space.
 */
const line = String.raw`(?!\d+[.)])[^\0\s#>+=|:\\\x60*_[<&~\-][^\0\t\r\n\\\x60*_[<&~]*(?<! )`
const prose = new RegExp(String.raw`^${line}(?:\n{1,2}${line})*$`, 'u')
const link = /www\.|:\/\/|@/i

/** Is this Markdown surely the text that it stands for? Then nothing has to be parsed. `false` promises nothing. */
export function isPlainProse(markdown: string): boolean {
  return prose.test(markdown) && !link.test(markdown)
}
