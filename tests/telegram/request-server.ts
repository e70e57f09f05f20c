import { Readable } from 'node:stream'
import { LoopbackServer } from '../emulators/loopback-server.js'

/** An application's server: it hands every request on, and writes the answer back. */
export async function serveRequests(handle: (request: Request) => Promise<Response>): Promise<LoopbackServer> {
  return LoopbackServer.start((incoming, outgoing) => {
    const headers = new Headers()
    for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
      headers.append(incoming.rawHeaders[index] ?? '', incoming.rawHeaders[index + 1] ?? '')
    }
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
    const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers,
      ...(hasBody && { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }),
    })
    void handle(request).then(
      async (response) => outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text()),
      () => outgoing.destroy(),
    )
  })
}
