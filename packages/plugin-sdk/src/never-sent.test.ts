import { get, createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { neverSent } from './index.js'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await new Promise((closed) => server.close(closed))
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}

async function closedPort(): Promise<number> {
  const port = await listen(createServer())
  await new Promise((closed) => servers.pop()?.close(closed))
  return port
}

function failed(code: string, more: object = {}): Error {
  return Object.assign(new Error(code), { code, ...more })
}

function failureOf(request: ReturnType<typeof get>): Promise<unknown> {
  return new Promise((resolve) => request.on('error', resolve).on('response', () => resolve(undefined)))
}

describe('neverSent over real sockets', () => {
  it('is true for a refused connection, by fetch and by node:http', async () => {
    const port = await closedPort()
    expect(neverSent(await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => error))).toBe(true)
    expect(neverSent(await failureOf(get(`http://127.0.0.1:${port}`)))).toBe(true)
    expect(neverSent(await failureOf(get(`http://localhost:${port}`)))).toBe(true)
  })

  it('is true for an unknown host', async () => {
    const unknown = failed('ENOTFOUND', { syscall: 'getaddrinfo' })
    expect(neverSent(await failureOf(get({ host: 'nowhere.invalid', lookup: (_host, _options, done) => done(unknown, '') })))).toBe(true)
  })

  it('is true where the other side speaks no TLS', async () => {
    const port = await listen(createServer((socket) => socket.on('error', () => {}).on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))))
    expect(neverSent(await fetch(`https://127.0.0.1:${port}`).catch((error: unknown) => error))).toBe(true)
  })

  it('is false where the connection ends after the request', async () => {
    const port = await listen(createHttpServer((request) => request.socket.resetAndDestroy()))
    expect(neverSent(await fetch(`http://127.0.0.1:${port}`).catch((error: unknown) => error))).toBe(false)
    expect(neverSent(await failureOf(get(`http://127.0.0.1:${port}`)))).toBe(false)
  })

  it('is false for an abort while the answer is awaited', async () => {
    const abort = new AbortController()
    const port = await listen(createHttpServer(() => abort.abort()))
    expect(neverSent(await fetch(`http://127.0.0.1:${port}`, { signal: abort.signal }).catch((error: unknown) => error))).toBe(false)
  })
})

describe('neverSent', () => {
  it.each([
    'ECONNREFUSED',
    'ENOTFOUND',
    'EAI_AGAIN',
    'UND_ERR_CONNECT_TIMEOUT',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  ])('is true for %s', (code) => {
    expect(neverSent(failed(code))).toBe(true)
  })

  it.each([
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'UND_ERR_HEADERS_TIMEOUT',
    'UND_ERR_BODY_TIMEOUT',
    'UND_ERR_SOCKET',
    'ERR_TLS_RENEGOTIATION_DISABLED',
    'HPE_INVALID_CONSTANT',
  ])('is false for %s', (code) => {
    expect(neverSent(failed(code))).toBe(false)
  })

  it('tells a time-out while connecting from a later one', () => {
    expect(neverSent(failed('ETIMEDOUT', { syscall: 'connect' }))).toBe(true)
    expect(neverSent(failed('ETIMEDOUT', { syscall: 'read' }))).toBe(false)
  })

  it.each(['cause', 'original', 'error'])('looks into %s of what an SDK throws', (link) => {
    expect(neverSent(failed('sdk_request_error', { [link]: { [link]: failed('ECONNREFUSED') } }))).toBe(true)
  })

  it('is false where a lost connection hides a refused one', () => {
    expect(neverSent(failed('ECONNRESET', { cause: failed('ECONNREFUSED') }))).toBe(false)
  })

  it('wants every one of several errors to be so', () => {
    expect(neverSent(new AggregateError([failed('ECONNREFUSED'), failed('ETIMEDOUT', { syscall: 'connect' })]))).toBe(true)
    expect(neverSent(Object.assign(new AggregateError([failed('ECONNREFUSED'), failed('ECONNRESET')]), { code: 'ECONNREFUSED' }))).toBe(false)
  })

  it('survives an error that causes itself', () => {
    const error = new Error('round')
    error.cause = { error }
    expect(neverSent(error)).toBe(false)
  })

  it.each([[undefined], [null], ['ECONNREFUSED'], [{}], [42]])('is false for %j', (value) => {
    expect(neverSent(value)).toBe(false)
  })
})
