import type { IncomingMessage, ServerResponse } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { LoopbackServer } from '../loopback-server.js'
import { chunksOf } from './model-step.js'
import type { ModelStep } from './model-step.js'

/** The body of a request as the client sent it. */
export interface ModelRequest {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly [member: string]: unknown }[]
  readonly stream?: boolean | undefined
  readonly [member: string]: unknown
}

/** A model behind the OpenAI wire, on this machine. */
export interface OpenAiEmulator {
  /** The base URL of a client, ends with `/v1`. */
  readonly url: string
  readonly apiKey: string
  /** Bodies of the requests with the right key, oldest first. */
  readonly requests: readonly ModelRequest[]
  /** Says what the next requests get, in order. A request beyond the script gets a 400 that says so. */
  script(...steps: ModelStep[]): void
  /** Resets every connection and leaves no handle open. */
  stop(): Promise<void>
}

/** Starts on a free port of 127.0.0.1. The caller must `stop` it. */
export async function startOpenAiEmulator(options: { apiKey?: string | undefined } = {}): Promise<OpenAiEmulator> {
  const { apiKey = 'sk-test-key' } = options
  const requests: ModelRequest[] = []
  const steps: ModelStep[] = []
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readText(request)
    if (request.url !== '/v1/chat/completions') return fail(response, 404, 'no such path')
    if (request.headers.authorization !== `Bearer ${apiKey}`) return fail(response, 401, 'Incorrect API key provided')
    const asked = JSON.parse(body) as ModelRequest
    requests.push(asked)
    if (asked.stream !== true) return fail(response, 400, 'this model only streams')
    const step = steps.shift()
    return step ? play(response, step, asked.model) : fail(response, 400, 'the script of this model is over')
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

function play(response: ServerResponse, step: ModelStep, model: string): void {
  if ('errorStatus' in step) {
    if (step.retryAfterSeconds !== undefined) response.setHeader('retry-after', step.retryAfterSeconds)
    fail(response, step.errorStatus, step.message ?? `error ${step.errorStatus} by script`)
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = chunksOf(step, model).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)
  if ('cutAfter' in step) {
    response.write(events.join(''), () => response.socket?.resetAndDestroy())
    return
  }
  for (const event of events) response.write(event)
  response.end('data: [DONE]\n\n')
}

function fail(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message, type: 'emulator_error', code: null } }))
}
