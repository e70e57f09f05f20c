import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { cutBlocks, isFenced } from './markdown-blocks.js'
import { plainTextOf } from './plain-text.js'

const parsing = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }
/** Marks that open nothing make the parser look back again and again; beyond this number a block is no prose. */
const mostMarks = 500
const marks = /[*_~[\]`<]/g
/** More than 32 quotes and lists in each other are beyond a parser that recurses. */
const deepBlock = /^(?:[ \t]*(?:>|[-+*][ \t]|\d{1,9}[.)][ \t])){33}/m

const beginsBlank = /^[ \t\r]*\n/
const endsBlank = /\n[ \t\r]*\n$/

/**
 * The text of CommonMark with GFM as a person reads it: no marks, links as `text (url)`, lists, tables and code as lines. Every
 * block is parsed for itself, and one that is little but marks stays as it is, so that the time grows with the length alone.
 */
export function stripMarkdown(text: string): string {
  let plain = ''
  let isApart = false
  for (const block of cutBlocks(text)) {
    const stripped = stripBlock(block)
    isApart ||= beginsBlank.test(block)
    if (stripped !== '') {
      const gap = isApart ? '\n\n' : '\n'
      plain += plain === '' ? stripped : `${gap}${stripped}`
      isApart = false
    }
    isApart ||= endsBlank.test(block)
  }
  return plain
}

function stripBlock(block: string): string {
  const isUnreasonable = !isFenced(block) && ((block.match(marks)?.length ?? 0) > mostMarks || deepBlock.test(block))
  if (isUnreasonable) return block.trim()
  return plainTextOf(fromMarkdown(block, parsing))
}
