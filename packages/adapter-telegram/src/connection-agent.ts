import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { HttpsProxyAgent } from 'https-proxy-agent'
import { SocksProxyAgent } from 'socks-proxy-agent'

/** The sockets of one connection. `destroy` closes them, also those in use. */
export type ConnectionAgent = HttpAgent

/** Opens a pool of sockets of our own: grammY shares one for the whole process, which outlives every connection. */
export function openAgent(apiRoot: string, proxy?: string): ConnectionAgent {
  const settings = { keepAlive: true }
  if (proxy?.startsWith('socks')) return new SocksProxyAgent(proxy, settings)
  if (proxy !== undefined) return new HttpsProxyAgent(proxy, settings)
  return apiRoot.startsWith('https:') ? new HttpsAgent(settings) : new HttpAgent(settings)
}
