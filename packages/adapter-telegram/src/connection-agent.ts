import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'

/** The sockets of one connection. `destroy` closes them, also those in use. */
export type ConnectionAgent = HttpAgent | HttpsAgent

/** Opens a pool of sockets of our own: grammY shares one for the whole process, which outlives every connection. */
export function openAgent(apiRoot: string): ConnectionAgent {
  return apiRoot.startsWith('https:') ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
}
