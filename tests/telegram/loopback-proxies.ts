import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A proxy on this machine. */
export interface LoopbackProxy {
  /** With the user and password that it asks for. */
  readonly url: string
  /** `host:port` of every tunnel that was opened. */
  readonly tunnels: readonly string[]
  stop(): Promise<void>
}

/** An HTTP proxy that opens tunnels by CONNECT, for whoever knows its password. */
export async function startHttpProxy(user: string, password: string): Promise<LoopbackProxy> {
  const tunnels: string[] = []
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const server = createHttpServer((_request, response) => void response.writeHead(405).end())
  server.on('connect', (request, socket: Socket) => {
    if (request.headers['proxy-authorization'] !== expected) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const { hostname, port } = new URL(`http://${request.url}`)
    tunnels.push(`${hostname}:${port}`)
    join(socket, { host: hostname, port: Number(port) }, () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'))
  })
  return listen(server, tunnels, (port) => `http://${user}:${password}@127.0.0.1:${port}`)
}

/** A SOCKS5 proxy without a password, for IPv4 addresses and names (RFC 1928). */
export async function startSocksProxy(): Promise<LoopbackProxy> {
  const tunnels: string[] = []
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', (request) => {
        const target = readTarget(request)
        tunnels.push(`${target.host}:${target.port}`)
        join(socket, target, () => socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0])))
      })
    })
  })
  return listen(server, tunnels, (port) => `socks5://127.0.0.1:${port}`)
}

function readTarget(request: Buffer): { host: string; port: number } {
  const isName = request[3] === 3
  const host = isName ? request.subarray(5, 5 + (request[4] ?? 0)).toString() : [...request.subarray(4, 8)].join('.')
  return { host, port: request.readUInt16BE(request.length - 2) }
}

function join(socket: Socket, target: { host: string; port: number }, onOpen: () => void): void {
  const onward = connect(target, () => {
    onOpen()
    socket.pipe(onward).pipe(socket)
  })
  const end = (): void => {
    socket.destroy()
    onward.destroy()
  }
  socket.on('error', end).on('close', end)
  onward.on('error', end).on('close', end)
}

async function listen(server: Server, tunnels: readonly string[], urlOf: (port: number) => string): Promise<LoopbackProxy> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: urlOf((server.address() as AddressInfo).port),
    tunnels,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
