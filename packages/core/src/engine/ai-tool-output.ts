import type { MediaStore, ResultPart, ToolResult } from '@hermes/plugin-sdk'
import { errorResult } from './tool-result.js'

/** One part of an output of kind `content`, of AI SDK 5 to 7. */
interface ContentPart {
  readonly type?: unknown
  readonly text?: unknown
  readonly data?: unknown
  readonly mediaType?: unknown
  readonly filename?: unknown
  readonly url?: unknown
}

/**
 * What `toModelOutput` gives, as a result. Bytes go into the media store; what is only named by an address or an id stays a line of
 * text. MCP says by `isError` of the raw output that a tool failed.
 */
export async function outputResult(given: unknown, from: { readonly output: unknown; readonly media: MediaStore }): Promise<ToolResult> {
  const { type, value, reason } = Object(given) as { readonly [member: string]: unknown }
  const isError = (Object(from.output) as { readonly isError?: unknown }).isError === true || type === 'error-text' || type === 'error-json'
  switch (type) {
    case 'text':
    case 'error-text':
      return { parts: [{ type: 'text', text: String(value) }], isError }
    case 'json':
    case 'error-json':
      return { parts: [{ type: 'json', value: value as never }], isError }
    case 'execution-denied':
      return errorResult(`The tool was not run: ${typeof reason === 'string' ? reason : 'it was denied'}.`)
    case 'content':
      return { parts: await Promise.all((value as readonly ContentPart[]).map((part) => contentPart(part, from.media))), isError }
    default:
      return errorResult(`Tool execution failed: its toModelOutput gave an output of an unknown kind: ${String(type)}.`)
  }
}

async function contentPart(part: ContentPart, media: MediaStore): Promise<ResultPart> {
  if (part.type === 'text') return { type: 'text', text: String(part.text) }
  const bytes = bytesOf(part.data)
  if (bytes === undefined) return { type: 'text', text: lineOf(part) }
  const name = typeof part.filename === 'string' ? part.filename : undefined
  return { type: 'media', media: await media.put(bytes, typeof part.mediaType === 'string' ? part.mediaType : 'application/octet-stream', name) }
}

/** Base64, bytes, or the tagged form of AI SDK 7. */
function bytesOf(data: unknown): Uint8Array | undefined {
  if (typeof data === 'string') return Buffer.from(data, 'base64')
  if (data instanceof Uint8Array) return data
  const { type, data: inner, text } = Object(data) as { readonly [member: string]: unknown }
  if (type === 'text') return Buffer.from(String(text))
  return type === 'data' ? bytesOf(inner) : undefined
}

function lineOf({ type, url, data, mediaType }: ContentPart): string {
  const address = url ?? (Object(data) as { readonly url?: unknown }).url
  const kind = typeof mediaType === 'string' ? mediaType : String(type)
  return typeof address === 'string' || address instanceof URL ? `[${kind}: ${address.toString()}]` : `[${kind}]`
}
