import type { MediaStore, ResultPart, ToolResult } from '@hermes/plugin-sdk'
import { textOf } from './transcript.js'

const defaultLimitChars = 100_000
const previewChars = 1_500
const errorChars = 2_048

/** An error as the model reads it: one JSON text. A long one is cut, with a mark. */
export function errorResult(error: string): ToolResult {
  const shown = error.length > errorChars ? `${cutText(error, errorChars)}… [truncated]` : error
  return { parts: [{ type: 'text', text: JSON.stringify({ error: shown }) }], isError: true }
}

/** What a tool threw. */
export function thrownResult(error: unknown): ToolResult {
  return errorResult(`Tool execution failed: ${kindOfThrown(error)}: ${describeThrown(error)}`)
}

/** What was thrown, in words. Whatever it is, this throws nothing. */
export function describeThrown(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error)
  } catch {
    return 'something that cannot be read'
  }
}

function kindOfThrown(error: unknown): string {
  try {
    return error instanceof Error ? String(error.name) : typeof error
  } catch {
    return typeof error
  }
}

/** What a tool returned, as a result; anything that is none becomes an error. */
export function toResult(returned: unknown): ToolResult {
  if (typeof returned === 'string') return { parts: [{ type: 'text', text: returned }] }
  const issue = issueOfResult(returned)
  return issue === undefined ? (returned as ToolResult) : errorResult(`Tool execution failed: ${issue}`)
}

/** Why what a tool returned is no result, if it is none. */
export function issueOfResult(returned: unknown): string | undefined {
  if (typeof returned === 'string') return undefined
  const { parts } = Object(returned) as { readonly parts?: unknown }
  return Array.isArray(parts) && parts.every(isResultPart) ? undefined : 'it returned neither a text nor { parts }.'
}

function isResultPart(part: unknown): part is ResultPart {
  const { type, text, media, value } = Object(part) as { readonly [member: string]: unknown }
  switch (type) {
    case 'text':
      return typeof text === 'string'
    case 'media':
      return typeof media === 'object' && media !== null
    default:
      return type === 'json' && isJson(value)
  }
}

function isJson(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

/**
 * Keeps a result within its limit. The whole of a longer one goes into the media store, and the model gets a preview and the
 * reference. Where nothing can be stored, the text is cut and says so. Media parts stay.
 */
export async function limitResult(
  result: ToolResult,
  limits: { readonly media: MediaStore; readonly maxChars: number | undefined; readonly name: string },
): Promise<ToolResult> {
  const maxChars = limits.maxChars ?? defaultLimitChars
  const text = textOf(result)
  if (text.length <= maxChars) return result
  const kept = result.parts.filter((part) => part.type === 'media')
  return { ...result, parts: [await spillText(text, { ...limits, maxChars }), ...kept] }
}

async function spillText(
  text: string,
  limits: { readonly media: MediaStore; readonly maxChars: number; readonly name: string },
): Promise<ResultPart> {
  try {
    const media = await limits.media.put(new TextEncoder().encode(text), 'text/plain', limits.name)
    const preview = previewOf(text)
    const lines = [
      '<persisted-output>',
      `The result has ${text.length} characters, too many to show. The whole of it is kept as ${media.ref}.`,
      `Preview, its first ${preview.length} characters:`,
      preview,
      '</persisted-output>',
    ]
    return { type: 'text', text: lines.join('\n') }
  } catch {
    const cut = cutText(text, limits.maxChars)
    return { type: 'text', text: `${cut}\n[Truncated: ${text.length - cut.length} more characters could not be kept.]` }
  }
}

function previewOf(text: string): string {
  const start = cutText(text, previewChars)
  const lineEnd = start.lastIndexOf('\n')
  return lineEnd > 0 ? start.slice(0, lineEnd) : start
}

/** The first characters of a text; a surrogate pair is not torn. */
function cutText(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
