import { adapterError, type Secret } from '@hermes/plugin-sdk'
import { createHash, timingSafeEqual } from 'node:crypto'
import { toGrammySignal } from '../grammy-signal.js'
import { isShallow } from '../json-depth.js'
import { asInteger, asObject } from '../json-reading.js'
import type { WebhookOptions } from '../options.js'
import { readBody } from './request-body.js'
import type { Transport, TransportParts } from './transport.js'

/** Updates of Telegram are a few kilobytes; a message with its answered one and all entities stays below 100. */
const bodyLimitBytes = 1024 * 1024
/** Telegram sends an update at once; who takes longer holds a connection of ours. */
const bodyTimeoutMs = 10_000
/** Objects inside each other. Telegram's own go to about ten. */
const depthLimit = 64
/** What an update that could not be stored is answered with, seconds. */
const retryAfterSeconds = 1

const secretHeader = 'x-telegram-bot-api-secret-token'

/** Lets Telegram post updates. Without a secret anybody could: that is refused. */
export async function openWebhook(parts: TransportParts, { url, secret, maxConnections }: WebhookOptions): Promise<Transport> {
  const webhook = requireSecret(secret)
  const settings = {
    secret_token: webhook.reveal(),
    allowed_updates: parts.updateKinds,
    drop_pending_updates: parts.dropsQueue,
    max_connections: maxConnections,
  }
  await parts.api.setWebhook(url, settings, toGrammySignal(parts.signal))
  return {
    // What is on its way is refused with 503 as soon as the connection ends, and Telegram posts it again.
    end: () => Promise.resolve(),
    handleRequest: (request) => answer(request, webhook, parts),
  }
}

/** Throws `adapter.failed` where there is none. */
export function requireSecret(secret: Secret | undefined): Secret {
  if (secret) return secret
  const message = 'The option webhook.secret is missing: without it, anybody who knows the URL could speak in the name of Telegram.'
  throw adapterError({ code: 'misconfigured', message, isRetryable: false })
}

async function answer(request: Request, secret: Secret, { intake, context, signal }: TransportParts): Promise<Response> {
  if (!isEqual(request.headers.get(secretHeader) ?? '', secret.reveal())) return refuse(401)
  if (request.method !== 'POST') return refuse(405, { allow: 'POST' })
  if ((request.headers.get('content-encoding') ?? 'identity') !== 'identity') return refuse(415)
  const body = await readBody(request, { limitBytes: bodyLimitBytes, timeoutMs: bodyTimeoutMs, clock: context.clock, signal })
  if (typeof body !== 'string') return refuse(body.status, { connection: 'close' })
  const update = parseUpdate(body)
  if (update === undefined) return refuse(400)
  if (signal.aborted) return refuse(503)
  context.alive()
  try {
    await intake.receive(update)
  } catch (error) {
    context.logger.warn({ error }, 'An update could not be stored; Telegram is asked to post it again')
    return refuse(503, { 'retry-after': String(retryAfterSeconds) })
  }
  return new Response(null, { status: 200 })
}

function parseUpdate(body: string): unknown {
  if (!isShallow(body, depthLimit)) return undefined
  try {
    const update: unknown = JSON.parse(body)
    return asInteger(asObject(update)?.['update_id']) === undefined ? undefined : update
  } catch {
    return undefined
  }
}

/** In a time that tells nothing of how much is right. Two headers arrive joined by a comma, which no secret has. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refuse(status: number, headers: Record<string, string> = {}): Response {
  return new Response(null, { status, headers })
}
