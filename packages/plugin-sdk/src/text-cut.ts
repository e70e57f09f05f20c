import { fenceAfter, openInlineCode, type Fence } from './code-marks.js'

/**
 * Where a window of a text is best cut: at its last line, if that is in its second half, else at its last word, else at its end;
 * before inline code that would be cut, if that is in its last three quarters; before a fence that would open on its last line.
 * `fence` is open where the window begins. At least 1.
 */
export function chooseCut(window: string, fence: Fence | undefined): number {
  let cut = window.lastIndexOf('\n')
  if (cut < Math.floor(window.length / 2)) cut = window.lastIndexOf(' ')
  if (cut < 1) cut = window.length
  return beforeFence(window.slice(0, beforeInlineCode(window, cut, fence)), fence)
}

function beforeInlineCode(window: string, cut: number, fence: Fence | undefined): number {
  const backtick = openInlineCode(window.slice(0, cut), fence)
  if (backtick === undefined) return cut
  const blank = Math.max(window.lastIndexOf(' ', backtick), window.lastIndexOf('\n', backtick))
  return blank > Math.floor(window.length / 4) ? blank : cut
}

function beforeFence(part: string, fence: Fence | undefined): number {
  const newline = part.lastIndexOf('\n')
  const isOpenedByLastLine = newline >= 1 && !fenceAfter(part.slice(0, newline), fence) && fenceAfter(part, fence) !== undefined
  return isOpenedByLastLine ? newline : part.length
}
