/** How a platform counts: Telegram and Slack's siblings in UTF-16 units, Discord in code points. */
export type LengthUnit = 'codePoints' | 'utf16'

/** So many units of a text. */
export interface TextSize {
  readonly limit: number
  readonly unit: LengthUnit
}

/** The length of a text as the platform counts it. An unpaired surrogate counts one. */
export function textLength(text: string, unit: LengthUnit): number {
  if (unit === 'utf16') return text.length
  let codePoints = 0
  for (let index = 0; index < text.length; index += widthAt(text, index)) codePoints++
  return codePoints
}

/**
 * Where the part of `text` that begins at `start` and has at most this size ends. Never inside a surrogate pair; at least one
 * character is taken where one is left, also when it is wider than the limit.
 */
export function endOfPart(text: string, start: number, size: TextSize): number {
  let index = start
  let taken = 0
  while (index < text.length) {
    const width = widthAt(text, index)
    taken += size.unit === 'utf16' ? width : 1
    if (taken > size.limit && index > start) break
    index += width
  }
  return index
}

/** UTF-16 units of the character at an index: two for a surrogate pair. */
function widthAt(text: string, index: number): 1 | 2 {
  const isHigh = (text.charCodeAt(index) & 0xfc00) === 0xd800
  return isHigh && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00 ? 2 : 1
}
