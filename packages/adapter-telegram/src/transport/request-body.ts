import type { Clock } from '@hermes/plugin-sdk'

/** How much may come, and how long it may take. */
export interface BodyLimits {
  readonly limitBytes: number
  readonly timeoutMs: number
  readonly clock: Clock
  /** Ends the reading: answered with 503. */
  readonly signal: AbortSignal
}

/**
 * A body as text, or the status that refuses it: 408 too slow, 413 too large, 400 cut off, 503 nobody reads any more. What is refused is
 * not cancelled: some servers' streams cannot take that. Whoever answers closes the connection.
 */
export async function readBody(request: Request, limits: BodyLimits): Promise<string | { readonly status: number }> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.limitBytes) return { status: 413 }
  const reader = request.body?.getReader()
  if (!reader) return ''
  const done = new AbortController()
  const tooSlow = limits.clock.sleep(limits.timeoutMs, AbortSignal.any([done.signal, limits.signal])).then(
    () => ({ status: 408 }),
    () => ({ status: 503 }),
  )
  const body = await Promise.race([readAll(reader, limits.limitBytes), tooSlow])
  done.abort()
  return body
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>, limitBytes: number): Promise<string | { readonly status: number }> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      size += part.value.byteLength
      if (size > limitBytes) return { status: 413 }
      chunks.push(part.value)
    }
    return Buffer.concat(chunks).toString('utf8')
  } catch {
    return { status: 400 }
  }
}
