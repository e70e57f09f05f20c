/** Length from which a block ends at the next blank line, and at the next line. Characters. */
const lengths = { atBlankLine: 2000, atLine: 4000 }
const fenceMark = /^ {0,3}(`{3,}|~{3,})(.*)$/

/**
 * Cuts a Markdown text into blocks of a few thousand characters that can be parsed one by one: between paragraphs where it can, and
 * never inside a line or fenced code, whatever its length. Each block ends with the line break that it was cut at.
 */
export function cutBlocks(text: string): string[] {
  const blocks: string[] = []
  let block = ''
  let fence: string | undefined
  for (const line of text.split(/(?<=\n)/)) {
    fence = fenceAfter(line.trimEnd(), fence)
    block += line
    const isLongEnough = block.length >= (line.trim() === '' ? lengths.atBlankLine : lengths.atLine)
    if (fence !== undefined || !isLongEnough) continue
    blocks.push(block)
    block = ''
  }
  return block === '' ? blocks : [...blocks, block]
}

/** The mark that closes the fence which is open behind the line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, mark = '', info = ''] = fenceMark.exec(line) ?? []
  if (open === undefined) return mark === '' || (mark.startsWith('`') && info.includes('`')) ? undefined : mark
  return mark.startsWith(open) && info.trim() === '' ? undefined : open
}
