import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { within } from '../waiting.js'
import { viewOf } from './hosts-side.js'
import type { RecordedHandler } from './plugin-record.js'
import type { PluginCase, PluginStage } from './plugin-stage.js'

/** What a plugin does with the native objects of platforms. */
export const handlerCases: readonly PluginCase[] = [
  [
    'take the native object of a connection, and that of the next one',
    async (stage) => {
      for (const { handler, native } of await wiringsOf(stage)) for (const _ of ['first', 'second']) await wire(handler, native())
    },
  ],
  [
    'take back what they put onto it, and twice is fine',
    async (stage) => {
      for (const { handler, native } of await wiringsOf(stage)) {
        const object = native()
        const before = listenersOf(object)
        const undo = await wire(handler, object)
        undo?.()
        undo?.()
        assert.equal(listenersOf(object), before, `listeners stay on the native object of ${handler.platform}`)
      }
    },
  ],
]

interface Wiring {
  readonly handler: RecordedHandler
  readonly native: () => unknown
}

async function wiringsOf(stage: PluginStage): Promise<readonly Wiring[]> {
  const { record } = await stage.load()
  assert.ok(record.handlers.size > 0, 'The plugin has no platform handlers: skip this group with a reason.')
  return [...record.handlers].map((handler) => {
    const native = (stage.setup.natives as { readonly [platform: string]: () => unknown } | undefined)?.[handler.platform]
    return native
      ? { handler, native }
      : assert.fail(`There is no native object of ${handler.platform}: give one in \`natives\`, or skip this group.`)
  })
}

async function wire({ platform, wire: handle }: RecordedHandler, native: unknown): Promise<void | (() => void)> {
  const undo = await within(Promise.resolve(handle(native, viewOf(platform))), `the handler of ${platform} ends`)
  assert.ok(undo === undefined || typeof undo === 'function', `the handler of ${platform} answered with something that is no undo`)
  return undo
}

/** Of an object that tells; another one counts as having none. */
function listenersOf(native: unknown): number {
  if (!(native instanceof EventEmitter)) return 0
  return native.eventNames().reduce((sum, event) => sum + native.listenerCount(event), 0)
}
