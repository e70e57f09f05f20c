import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Changes } from '../changes.js'
import type { ApiMethods } from './api-methods.js'
import { badRequest, refusals } from './api-reply.js'
import type { ApiReply } from './api-reply.js'
import { answerAfter, answerBefore } from './fault-answers.js'
import type { WireAnswer } from './fault-answers.js'
import type { FaultScript } from './faults.js'
import type { FileShelf } from './file-shelf.js'
import type { Call, Ledger, MethodName } from './ledger.js'
import { readPayload } from './payload-reader.js'
import type { Payload } from './payload-reader.js'

/** What the desk works with. */
export interface DeskParts {
  readonly token: string
  readonly methods: ApiMethods
  readonly faults: FaultScript
  readonly files: FileShelf
  readonly ledger: Ledger
  readonly changes: Changes
  readonly onAccepted?: ((call: Call) => void) | undefined
}

/** Takes the calls of the bot from HTTP and answers them on it, with the faults that are planted. */
export class ApiDesk {
  readonly #parts: DeskParts

  constructor(parts: DeskParts) {
    this.#parts = parts
  }

  /** Serves one request. Never rejects: a client that goes away in the middle is dropped. */
  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      write(response, await this.#answer(request, response))
    } catch {
      response.destroy()
    } finally {
      this.#parts.changes.notify()
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<WireAnswer> {
    const { path, query } = splitUrl(request.url ?? '/')
    const [, fileToken, filePath] = /^\/file\/bot([^/]+)\/(.+)$/.exec(path) ?? []
    if (fileToken !== undefined && filePath !== undefined) return this.#download(fileToken, decodeURIComponent(filePath))
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? []
    const payload = await readPayload(request, query)
    if (token === undefined || method === undefined) return refusals.noSuchPath
    if (token !== this.#parts.token) return refusals.unauthorized
    if (payload === undefined) return badRequest("can't parse request body as JSON object")
    return this.#take(method, payload, response)
  }

  #download(token: string, path: string): WireAnswer {
    const { faults, files } = this.#parts
    const hit = faults.take('downloadFile', {})
    const instead = hit && answerBefore(hit.fault, 'downloadFile')
    if (instead !== undefined) return instead
    const bytes = token === this.#parts.token ? files.read(path) : undefined
    return bytes ? { bytes } : refusals.noSuchPath
  }

  async #take(method: string, payload: Payload, response: ServerResponse): Promise<WireAnswer> {
    const { faults, ledger, changes, methods } = this.#parts
    const call: Call = { method: method as MethodName, payload, at: Date.now(), isAccepted: false }
    ledger.add(call)
    const hit = faults.take(method, payload)
    const instead = hit && answerBefore(hit.fault, method)
    if (instead !== undefined) return instead
    const running = methods.run(method, payload, whenGone(method, response))
    changes.notify()
    const reply = await running
    call.isAccepted = reply.ok
    if (reply.ok && isMessage(reply.result)) call.message = reply.result
    if (reply.ok) this.#parts.onAccepted?.(call)
    if (hit === undefined) return reply
    changes.notify()
    if (hit.fault.kind === 'slow') await hit.released
    return answerAfter(hit.fault, reply)
  }
}

const neverGone = new AbortController().signal

/** Only a long poll has to know that its client went away. */
function whenGone(method: string, response: ServerResponse): AbortSignal {
  if (method.toLowerCase() !== 'getupdates') return neverGone
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  return gone.signal
}

function splitUrl(url: string): { path: string; query: string } {
  const mark = url.indexOf('?')
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) }
}

function isMessage(result: unknown): result is NonNullable<Call['message']> {
  return typeof result === 'object' && result !== null && 'message_id' in result
}

function write(response: ServerResponse, answer: WireAnswer): void {
  if (answer === 'silence') return
  if (answer === 'cut') response.socket?.resetAndDestroy()
  else if ('bytes' in answer) response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(answer.bytes)
  else if ('garbage' in answer) send(response, { status: 200, body: answer.garbage, type: 'text/html' })
  else sendReply(response, answer)
}

function sendReply(response: ServerResponse, reply: ApiReply): void {
  const retryAfter = reply.ok ? undefined : reply.parameters?.retry_after
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  send(response, { status: reply.ok ? 200 : reply.error_code, body: JSON.stringify(reply), type: 'application/json' })
}

function send(response: ServerResponse, content: { status: number; body: string; type: string }): void {
  response.setHeader('server', 'nginx/1.18.0')
  response.setHeader('access-control-allow-origin', '*')
  response.setHeader('content-type', content.type)
  response.setHeader('content-length', Buffer.byteLength(content.body))
  response.writeHead(content.status).end(content.body)
}
