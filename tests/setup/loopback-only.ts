import { Socket } from 'node:net'
import { afterEach } from 'vitest'

// Every connection of a test stays on this machine. One that would leave is refused at once, and fails its test even where the
// code under test swallows the refusal.

const loopback = /^(?:127\.\d+\.\d+\.\d+|::1|localhost|::ffff:127\.\d+\.\d+\.\d+)$/
const escapes: string[] = []
const connect = Socket.prototype.connect

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const host = targetHost(args)
  if (host !== undefined && !loopback.test(host)) {
    escapes.push(host)
    const refusal = Object.assign(new Error(`A test may not leave loopback, and this one asked for ${host}.`), { code: 'ECONNREFUSED' })
    process.nextTick(() => this.destroy(refusal))
    return this
  }
  return Reflect.apply(connect, this, args) as Socket
}

/** The host of a `connect` call in any of its forms; `undefined` for a pipe. */
function targetHost(args: unknown[]): string | undefined {
  const first: unknown = Array.isArray(args[0]) ? args[0][0] : args[0]
  if (typeof first === 'number') return typeof args[1] === 'string' ? args[1] : 'localhost'
  if (typeof first !== 'object' || first === null || 'path' in first) return undefined
  return 'host' in first && typeof first.host === 'string' ? first.host : 'localhost'
}

afterEach(() => {
  const hosts = escapes.splice(0)
  if (hosts.length > 0) throw new Error(`This test tried to leave loopback: ${hosts.join(', ')}`)
})
