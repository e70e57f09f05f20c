import type { IncomingMessage } from 'node:http'
import busboy from 'busboy'

/** The parameters of one call as the method sees them: JSON values, or strings where the client sent a form. */
export type Payload = Readonly<Record<string, unknown>>

/** A file of a multipart call. */
export interface UploadedFile {
  readonly fileName: string
  readonly mimeType: string
  readonly bytes: Buffer
}

const bodyLimitBytes = 50 * 1024 * 1024
/** Parameters that a form carries as JSON text. */
const jsonParameters = new Set(['allowed_updates', 'commands', 'entities', 'link_preview_options', 'reply_markup', 'reply_parameters', 'scope'])

/**
 * Reads query and body of a call. `undefined` when the body is not what its content type says; rejects when the client goes away
 * or sends more than 50 MB.
 */
export async function readPayload(request: IncomingMessage, query: string): Promise<Payload | undefined> {
  const type = request.headers['content-type'] ?? ''
  if (type.startsWith('multipart/form-data')) return readMultipart(request)
  const body = await readBody(request)
  if (type.startsWith('application/json')) return parseObject(body)
  return fromPairs(new URLSearchParams(body === '' ? query : body))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > bodyLimitBytes) throw new Error(`the body of a call is larger than ${bodyLimitBytes} bytes`)
    chunks.push(chunk)
  }
  return chunks.length === 1 && chunks[0] ? chunks[0].toString() : Buffer.concat(chunks).toString()
}

function readMultipart(request: IncomingMessage): Promise<Payload | undefined> {
  return new Promise((resolve, reject) => {
    const files: Record<string, UploadedFile> = {}
    const pairs: [string, string][] = []
    const form = busboy({ headers: request.headers, limits: { fileSize: bodyLimitBytes, files: 20, fields: 200 } })
    form.on('field', (name, value) => pairs.push([name, value]))
    form.on('file', (name, stream, { filename, mimeType }) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('close', () => (files[name] = { fileName: filename, mimeType, bytes: Buffer.concat(chunks) }))
    })
    form.on('error', reject)
    form.on('close', () => {
      const fields = fromPairs(pairs)
      resolve(fields && { ...fields, ...files })
    })
    request.on('error', reject)
    request.pipe(form)
  })
}

function fromPairs(pairs: Iterable<[string, string]>): Payload | undefined {
  const payload: Record<string, unknown> = {}
  for (const [name, value] of pairs) {
    const parsed = jsonParameters.has(name) ? parseJson(value) : value
    if (parsed === undefined) return undefined
    payload[name] = parsed
  }
  return payload
}

function parseObject(text: string): Payload | undefined {
  const value = text === '' ? {} : parseJson(text)
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Payload) : undefined
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
