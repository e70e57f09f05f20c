/** An open code fence. */
export interface Fence {
  /** The line that opened it, without its indentation: it opens the fence again in the next piece. */
  readonly line: string
  /** What closes it. */
  readonly mark: string
}

const fenceLine = /^\s*(`{3,}|~{3,})(.*)$/s

/** The fence that is open after `text`, where `before` was open before it. */
export function fenceAfter(text: string, before: Fence | undefined): Fence | undefined {
  return text.split('\n').reduce(fenceAfterLine, before)
}

/** Is the last line a fence without a language, as one that closes is? */
export function endsWithFence(text: string): boolean {
  const mark = fenceLine.exec(text.slice(text.lastIndexOf('\n') + 1))
  return mark?.[2]?.trim() === ''
}

/** The last backtick, where `text` ends inside inline code; else `undefined`. What stands in fences or behind a backslash does not count. */
export function openInlineCode(text: string, before: Fence | undefined): number | undefined {
  let fence = before
  let count = 0
  let last = 0
  let lineStart = 0
  for (const line of text.split('\n')) {
    const wasOpen = fence !== undefined
    fence = fenceAfterLine(fence, line)
    if (!wasOpen && !fence) {
      for (const { 0: mark, index } of line.matchAll(/\\.|`/gs)) {
        if (mark !== '`') continue
        count++
        last = lineStart + index
      }
    }
    lineStart += line.length + 1
  }
  return count % 2 === 0 ? undefined : last
}

function fenceAfterLine(open: Fence | undefined, line: string): Fence | undefined {
  const [, mark, rest] = fenceLine.exec(line) ?? []
  if (mark === undefined || rest === undefined) return open
  if (!open) return mark.startsWith('`') && rest.includes('`') ? undefined : { line: line.trim(), mark }
  const isClosing = mark[0] === open.mark[0] && mark.length >= open.mark.length && rest.trim() === ''
  return isClosing ? undefined : open
}
