import { HermesError, type Adapter, type Clock, type Logger } from '@hermes/plugin-sdk'
import { isolate } from '../kernel/index.js'

/** An adapter may take so long with a request; platforms give up earlier. */
const answerTimeoutMs = 30_000

/** What the answering of requests needs of the house. */
export interface WebPorts {
  readonly clock: Clock
  readonly logger: Logger
  /** Is there an instance of this name? */
  has(name: string): boolean
  /** The adapter of an instance, while it is connected. */
  adapter(name: string): Adapter | undefined
}

/**
 * Hands a request to the instance that the last segment of its path names. 404: there is none, or it takes no requests. 503: it is
 * not connected, or did not answer in time. 500: it failed; the log says how. Never rejects.
 */
export async function answerRequest(request: Request, ports: WebPorts): Promise<Response> {
  const { clock, logger } = ports
  const name = instanceOf(request)
  if (name === undefined || !ports.has(name)) return refuse(404)
  const adapter = ports.adapter(name)
  if (!adapter) return refuse(503, { 'retry-after': '5' })
  if (!adapter.handleRequest) return refuse(404)
  const limits = { clock, timeoutMs: answerTimeoutMs, what: `Adapter ${name}: handleRequest` }
  const answered = await isolate<unknown>(async () => adapter.handleRequest?.(request), limits)
  if (answered.ok && isResponse(answered.value)) return answered.value
  const error = answered.ok ? new TypeError('handleRequest did not answer with a Response') : answered.error
  logger.error({ adapter: name, error }, 'An adapter could not answer a request.')
  return refuse(HermesError.is(error, 'timed-out') ? 503 : 500)
}

function instanceOf(request: Request): string | undefined {
  try {
    return decodeURIComponent(new URL(request.url).pathname.split('/').findLast((segment) => segment !== '') ?? '')
  } catch {
    return undefined
  }
}

/** Servers bring `Response` classes of their own. */
function isResponse(value: unknown): value is Response {
  return typeof value === 'object' && value !== null && 'status' in value && 'headers' in value && 'body' in value
}

function refuse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers })
}
