import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { LoopbackServer } from '../loopback-server.js'
import { eventsOf, type AnthropicStep } from './message-step.js'

/** The body of a request as the client sent it. */
export interface AnthropicRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: readonly { readonly type: string; readonly [member: string]: unknown }[] }[]
  readonly [member: string]: unknown
}

/** A model behind the wire of Anthropic's messages, on this machine. */
export interface AnthropicEmulator {
  /** The base URL of a client, ends with `/v1`. */
  readonly url: string
  readonly apiKey: string
  /** Bodies of the requests with the right key, oldest first. */
  readonly requests: readonly AnthropicRequest[]
  /** Says what the next requests get, in order. A request beyond the script gets a 400 that says so. */
  script(...steps: AnthropicStep[]): void
  /** Resets every connection and leaves no handle open. */
  stop(): Promise<void>
}

/** Starts on a free port of 127.0.0.1. The caller must `stop` it. */
export async function startAnthropicEmulator(): Promise<AnthropicEmulator> {
  const apiKey = 'sk-ant-test-key'
  const requests: AnthropicRequest[] = []
  const steps: AnthropicStep[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request)
    if (request.url !== '/v1/messages') return refuse(response, { status: 404, type: 'not_found_error', message: 'Not found' })
    if (request.headers['x-api-key'] !== apiKey) return refuse(response, { status: 401, type: 'authentication_error', message: 'invalid x-api-key' })
    const asked = JSON.parse(body) as AnthropicRequest
    requests.push(asked)
    const step = steps.shift()
    if (!step) return refuse(response, { status: 400, type: 'invalid_request_error', message: 'the script of this model is over' })
    if ('refusal' in step) return refuse(response, step.refusal)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of eventsOf(step, asked.model)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  }
  const server = await LoopbackServer.start((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  return {
    url: `${server.url}/v1`,
    apiKey,
    requests,
    script: (...more) => {
      steps.push(...more)
    },
    stop: () => server.goOffline(),
  }
}

function refuse(response: ServerResponse, { status, type, message }: { status: number; type: string; message: string }): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type, message } }))
}
