/** Length from which a block ends at the next blank line, and at the next line. Characters. */
const lengths = { atBlankLine: 2000, atLine: 4000 }
const fenceMark = /^ {0,3}(`{3,}|~{3,})(.*)$/

/**
 * Cuts a Markdown text into blocks that can be parsed one by one: each fenced code block whatever its length, and the rest in a few
 * thousand characters, between paragraphs where it can and never inside a line. Each block ends with the line break it was cut at.
 */
export function cutBlocks(text: string): string[] {
  const blocks: string[] = []
  let block = ''
  let fence: string | undefined
  const endBlock = (): void => {
    if (block !== '') blocks.push(block)
    block = ''
  }
  for (const line of text.split(/(?<=\n)/)) {
    const before = fence
    fence = fenceAfter(line.trimEnd(), before)
    if (before === undefined && fence !== undefined) endBlock()
    block += line
    const isLongEnough = block.length >= (line.trim() === '' ? lengths.atBlankLine : lengths.atLine)
    if (fence === undefined && (before !== undefined || isLongEnough)) endBlock()
  }
  endBlock()
  return blocks
}

/** Does the block begin with a fence? */
export function isFenced(block: string): boolean {
  return fenceMark.test(block.slice(0, block.indexOf('\n') + 1).trimEnd())
}

/** The mark that closes the fence which is open behind the line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const [, mark = '', info = ''] = fenceMark.exec(line) ?? []
  if (open === undefined) return mark === '' || (mark.startsWith('`') && info.includes('`')) ? undefined : mark
  return mark.startsWith(open) && info.trim() === '' ? undefined : open
}
