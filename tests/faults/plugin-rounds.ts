import { createAgent, createGateway } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin, type Registration } from '@hermes/plugin-sdk'
import { readdir } from 'node:fs/promises'
import { z } from 'zod'
import { PaperPlatform, until } from '../gateway/paper-platform.js'

/** What a process holds. */
export interface Holdings {
  /** Bytes behind a garbage collection. */
  readonly heap: number
  readonly descriptors: number
  /** Of the process. */
  readonly listeners: number
  /** Timers, sockets and the like that keep the process alive. */
  readonly resources: number
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** Registers one of everything. */
const guest = definePlugin({
  id: 'guest',
  async register(host) {
    host.registerTool({ name: 'look', description: 'Looks.', input: { type: 'object' }, run: () => 'ok' })
    host.registerCommand({ name: 'look', description: 'Looks.', run: () => 'ok' })
    host.registerPlatformHandler('paper', () => () => {})
    for (const name of ['turnStart', 'turnEnd', 'preToolCall', 'streamDelta', 'adapterConnected'] as const) host.on(name, () => undefined)
    await host.storage.collection('rounds', z.object({ last: z.int() })).put({ key: 'last', value: { last: 1 } })
    host.onStop(() => {})
  },
})

async function hold(): Promise<Holdings> {
  // What ended may have its last steps before it.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
  globalThis.gc?.()
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  const descriptors = (await readdir('/proc/self/fd')).length
  return { heap: process.memoryUsage().heapUsed, descriptors, listeners, resources: process.getActiveResourcesInfo().length }
}

const gateway = createGateway({ agent: createAgent({ model: ScriptedModel.echo() }), logger: silent })
await gateway.start()
const rounds = async (count: number): Promise<void> => {
  for (let round = 0; round < count; round++) {
    const added: Registration[] = [await gateway.use(new PaperPlatform().plugin), await gateway.use(guest)]
    await until(() => gateway.health().adapters[0]?.state === 'connected')
    for (const registration of added.toReversed()) registration.dispose()
    await until(() => gateway.health().adapters.length === 0)
  }
}
await rounds(300)
const before = await hold()
await rounds(100)
const after = await hold()
await gateway.stop()
process.stdout.write(JSON.stringify({ before, after }))
