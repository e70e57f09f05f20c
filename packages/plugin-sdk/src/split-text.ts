import { endsWithFence, fenceAfter, type Fence } from './code-marks.js'
import { HermesError } from './errors.js'
import { chooseCut } from './text-cut.js'
import { endOfPart, textLength, type TextSize } from './text-length.js'

/** What one piece may hold: `reserve` is kept free for the indicator, which takes at most `indicator`. */
interface Room extends TextSize {
  readonly indicator: number
  readonly reserve: number
}

/** How far the text is cut. */
interface Position {
  readonly start: number
  /** The fence that the text is in. */
  readonly fence: Fence | undefined
}

const usualReserve = 10
const usualClosing = '\n```'.length

/**
 * Splits a text into pieces of at most `limit` units. A text that fits is the one piece, unchanged. Otherwise pieces end at a
 * line or a word where one is near, code fences are closed at the end of a piece and opened again in the next, blanks around
 * a cut go, and ` (i/n)` stands at every end. Limits too small for fences or indicators get none; only a surrogate pair can be longer
 * than its limit, one of a single UTF-16 unit. Throws `value.invalid` for a limit below 1.
 */
export function splitText(text: string, size: TextSize): string[] {
  if (!(size.limit >= 1)) {
    throw new HermesError('value.invalid', `splitText() needs a limit of at least 1, and got ${String(size.limit)}.`, {
      where: 'splitText()',
      issues: ['limit must be at least 1'],
    })
  }
  if (textLength(text, size.unit) <= size.limit) return [text]
  let pieces = cutPieces(text, roomFor(size, 1))
  // A longer indicator can make more pieces, and more pieces a longer indicator.
  for (let digits = 1; String(pieces.length).length > digits;) {
    digits = String(pieces.length).length
    pieces = cutPieces(text, roomFor(size, digits))
  }
  return numberPieces(pieces, size)
}

function roomFor({ limit, unit }: TextSize, digits: number): Room {
  const indicator = ' (/)'.length + 2 * digits
  return { limit: Math.floor(limit), unit, indicator, reserve: Math.max(usualReserve, indicator) }
}

function cutPieces(text: string, room: Room): string[] {
  const pieces: string[] = []
  let position: Position = { start: 0, fence: undefined }
  while (position.start < text.length) {
    const end = endOfPiece(text, position, room)
    const body = text.slice(position.start, end)
    const fence = fenceAfter(body, position.fence)
    const piece = dressPiece(body, { before: position.fence, after: fence }, room)
    if (piece.trim() !== '') pieces.push(piece)
    position = skipBlanks(text, { start: end, fence })
  }
  return pieces.length > 0 ? pieces : ['']
}

/** Everything, if it is the last piece, else the best cut that leaves room for what opens and closes fences. */
function endOfPiece(text: string, { start, fence }: Position, room: Room): number {
  const opening = textLength(openingOf(fence, room), room.unit)
  const cutWith = (closing: number) => {
    const units = room.limit - room.reserve - opening - closing
    const end = endOfPart(text, start, { limit: units >= 1 ? units : Math.max(1, Math.floor(room.limit / 2)), unit: room.unit })
    return end === text.length ? end : start + chooseCut(text.slice(start, end), fence)
  }
  const closingAt = (end: number) => closingOf(fenceAfter(text.slice(start, end), fence), room).length

  const lastUnits = room.limit - room.reserve - opening
  const lastEnd = endOfPart(text, start, { limit: lastUnits, unit: room.unit })
  if (lastEnd === text.length && lastUnits >= 1) {
    const length = textLength(text.slice(start), room.unit)
    if (opening + length + closingAt(lastEnd) <= room.limit - room.indicator) return lastEnd
  }
  const end = cutWith(usualClosing)
  const closing = closingAt(end)
  const isLongFence = closing > usualClosing && room.limit - room.reserve - opening - closing >= 1
  return isLongFence ? cutWith(closing) : end
}

function dressPiece(body: string, fence: { before: Fence | undefined; after: Fence | undefined }, room: Room): string {
  const piece = openingOf(fence.before, room) + (fence.after ? body : body.trimEnd())
  const closing = closingOf(fence.after, room)
  return textLength(piece + closing, room.unit) <= room.limit - room.indicator ? piece + closing : piece
}

/** What opens the fence again; empty where the fence would take most of the piece. */
function openingOf(fence: Fence | undefined, room: Room): string {
  return fence && isAffordable(fence, room) ? `${fence.line}\n` : ''
}

function closingOf(fence: Fence | undefined, room: Room): string {
  return fence && isAffordable(fence, room) ? `\n${fence.mark}` : ''
}

function isAffordable(fence: Fence, room: Room): boolean {
  const cost = textLength(`${fence.line}\n\n${fence.mark}`, room.unit)
  return cost * 2 <= room.limit && room.limit - room.reserve - cost >= 1
}

/** Drops the blanks at a cut. Code keeps its indentation, and a fence that closes at once is not opened again. */
function skipBlanks(text: string, { start, fence }: Position): Position {
  if (!fence) return { start: start + lengthOfMatch(/\s*/y, text, start), fence }
  if (text[start] !== '\n') return { start, fence }
  const closingLength = lengthOfMatch(/[^\S\n]*(`{3,}|~{3,})[^\S\n]*(?=\n|$)/y, text, start + 1)
  const closingEnd = start + 1 + closingLength
  if (closingLength === 0 || fenceAfter(text.slice(start + 1, closingEnd), fence)) return { start: start + 1, fence }
  return skipBlanks(text, { start: closingEnd, fence: undefined })
}

function lengthOfMatch(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.exec(text)?.[0].length ?? 0
}

/** Behind a closing fence the indicator stands on a line of its own: on the fence's line it would keep the fence open. */
function numberPieces(pieces: readonly string[], size: TextSize): string[] {
  if (pieces.length === 1) return [...pieces]
  const numbered = pieces.map((piece, index) => `${piece}${endsWithFence(piece) ? '\n' : ' '}(${index + 1}/${pieces.length})`)
  return numbered.every((piece) => textLength(piece, size.unit) <= size.limit) ? numbered : [...pieces]
}
