import { definePlugin, type HookName, type HostApi, type Plugin } from '@hermes/plugin-sdk'
import { EventEmitter } from 'node:events'

/** What code may do when nobody waits for it any more, by name; and the reason by which it is known then. */
export const lateMisdeeds = {
  'rejects unheard': { run: () => void Promise.reject(new Error('rejected unheard')), reason: /^rejected unheard$/ },
  'rejects later': { run: () => void later().then(() => Promise.reject(new Error('rejected later'))), reason: /^rejected later$/ },
  'rejects with null': { run: () => void Promise.reject(null), reason: /no error was rejected: null$/ },
  'rejects with what cannot be read': { run: () => void Promise.reject(unreadable()), reason: /no error was rejected: #<Object>$/ },
  'throws in a timer': { run: () => void setTimeout(() => raise(new Error('thrown in a timer')), 1), reason: /^thrown in a timer$/ },
  'throws null in a timer': { run: () => void setTimeout(() => raise(null), 1), reason: /no error was thrown: null/ },
  'throws what cannot be read': { run: () => void setImmediate(() => raise(unreadable())), reason: /cannot be read/ },
  'throws at the next tick': { run: () => process.nextTick(() => raise(new Error('thrown at once'))), reason: /^thrown at once$/ },
  'emits error': { run: () => void setImmediate(() => new EventEmitter().emit('error', new Error('emitted'))), reason: /^emitted$/ },
  'emits null as error': { run: () => void setImmediate(() => new EventEmitter().emit('error', null)), reason: /Unhandled error/ },
} as const satisfies { readonly [name: string]: { run(): void; readonly reason: RegExp } }

export type LateMisdeed = keyof typeof lateMisdeeds

/** Hooks that one message, one failing model call, one tool, one command and one new conversation come by. */
const lateHooks = [
  'preDispatch',
  'preCommand',
  'sessionStart',
  'sessionEnd',
  'turnStart',
  'turnEnd',
  'preModelCall',
  'postModelCall',
  'modelError',
  'preToolCall',
  'postToolCall',
  'transformToolResult',
  'transformAnswer',
  'streamDelta',
  'deliveryOutcome',
  'adapterConnected',
  'adapterFailed',
] as const satisfies readonly HookName[]

/** Everywhere where code of a plugin is called. */
export const latePlaces = ['register', 'tool:late', 'command:late', 'platformHandler:paper', ...lateHooks] as const
export type LatePlace = (typeof latePlaces)[number]

/** A plugin that does it in each of its places; it answers well, and at once. */
export function latePlugin(misdeed: LateMisdeed): Plugin {
  return definePlugin({
    id: 'late',
    register(host) {
      const run = (): void => lateMisdeeds[misdeed].run()
      run()
      for (const place of latePlaces) bring(host, place, run)
    },
  })
}

function bring(host: HostApi, place: LatePlace, run: () => void): void {
  if (place === 'register') return
  if (place === 'platformHandler:paper') {
    host.registerPlatformHandler('paper', run)
  } else if (place === 'tool:late') {
    host.registerTool({ name: 'late', description: 'Fails late.', input: { type: 'object' }, run: () => (run(), 'tool ran') })
  } else if (place === 'command:late') {
    host.registerCommand({ name: 'late', description: 'Fails late.', run: () => (run(), 'command ran') })
  } else {
    host.on(place, run)
  }
}

async function later(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1))
}

function raise(error: unknown): never {
  throw error
}

/** Every look at it throws. */
function unreadable(): object {
  return new Proxy({}, { get: () => raise(new Error('look away')), getPrototypeOf: () => raise(new Error('look away')) })
}
