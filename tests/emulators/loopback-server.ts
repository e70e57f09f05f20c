import { once } from 'node:events'
import { createServer } from 'node:http'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** An HTTP server on 127.0.0.1 that keeps its port while its listener goes away and comes back. */
export class LoopbackServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #port = 0

  private constructor(listener: RequestListener) {
    this.#server = createServer({ keepAliveTimeout: 60_000, noDelay: true }, listener)
    this.#server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Listens on a free port before it resolves. */
  static async start(listener: RequestListener): Promise<LoopbackServer> {
    const server = new LoopbackServer(listener)
    await server.goOnline()
    return server
  }

  /** Origin without a trailing slash, e.g. `http://127.0.0.1:40123`. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Resets every live connection. New ones are taken as before. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  /** Resets every live connection and refuses new ones. Nothing happens when it is offline already. */
  async goOffline(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.cut()
    await closed
  }

  /** Takes connections on the same port again. Nothing happens when it is online already. */
  async goOnline(): Promise<void> {
    if (this.#server.listening) return
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }
}
