import { textLength, type LengthUnit } from './text-length.js'

/** Splits a text into pieces of at most `limit` units. */
export function splitText(text: string, size: { readonly limit: number; readonly unit: LengthUnit }): string[] {
  if (textLength(text, size.unit) <= size.limit) return [text]
  throw new Error('not written yet')
}
