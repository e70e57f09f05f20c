/** How a platform counts: Telegram and Slack's siblings in UTF-16 units, Discord in code points. */
export type LengthUnit = 'codePoints' | 'utf16'

/** The length of a text as the platform counts it. */
export function textLength(text: string, unit: LengthUnit): number {
  if (unit === 'utf16') return text.length
  let surrogatePairs = 0
  for (let index = 0; index < text.length - 1; index++) {
    const isHigh = (text.charCodeAt(index) & 0xfc00) === 0xd800
    if (!isHigh || (text.charCodeAt(index + 1) & 0xfc00) !== 0xdc00) continue
    surrogatePairs++
    index++
  }
  return text.length - surrogatePairs
}
