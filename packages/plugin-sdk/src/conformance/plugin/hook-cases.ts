import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import type { HookName } from '../../hooks.js'
import { within } from '../waiting.js'
import { stopMs, stopping } from './calling.js'
import { assertAnswer } from './hook-answers.js'
import { allHooks, payloadsOn } from './hook-payloads.js'
import type { RecordedTap } from './plugin-record.js'
import type { PluginCase, PluginStage } from './plugin-stage.js'

/** What a plugin does on the way of messages and turns. */
export const hookCases: readonly PluginCase[] = [
  [
    'take every payload that a host gives, change nothing in it, and answer what their hook asks for',
    async (stage) => {
      for (const tap of await tapsOf(stage))
        for (const payload of samplesFor(tap)) {
          const call = callTap(tap, frozen(payload)).catch((cause: unknown) => {
            throw new Error(`the tap of ${tap.hook} failed (${String(cause)}) with ${inspect(payload, { maxStringLength: 100 })}`, { cause })
          })
          assertAnswer(tap.hook as HookName, await within(call, `the tap of ${tap.hook} ends`))
        }
    },
  ],
  [
    'answer at once where nobody waits',
    async (stage) => {
      for (const tap of (await tapsOf(stage)).filter(({ hook }) => hook === 'prefersFreshFinalStreaming'))
        for (const payload of samplesFor(tap)) {
          const answer = tap.call(payload, { signal: new AbortController().signal })
          assert.ok(!(answer instanceof Promise), 'the tap of prefersFreshFinalStreaming answers later')
        }
    },
  ],
  [
    'end when they are told to stop',
    async (stage) => {
      for (const tap of await tapsOf(stage)) {
        const [payload] = samplesFor(tap)
        if (!payload) continue
        for (const signal of [AbortSignal.abort(), stopping()])
          await within(Promise.allSettled([callTap(tap, payload, signal)]), `the tap of ${tap.hook} ends when it is told to`, stopMs)
      }
    },
  ],
]

/** The payloads for a tap; none for a hook that there is not. */
export function samplesFor({ hook, platform = 'conformance' }: RecordedTap): readonly object[] {
  return allHooks.includes(hook) ? payloadsOn(platform)[hook as HookName] : []
}

/** Calls a tap as a host does. */
export async function callTap(tap: RecordedTap, payload: object, signal: AbortSignal = new AbortController().signal): Promise<unknown> {
  return tap.call(payload, { signal })
}

async function tapsOf(stage: PluginStage): Promise<readonly RecordedTap[]> {
  const { record } = await stage.load()
  assert.ok(record.taps.size > 0, 'The plugin taps no hook: skip this group with a reason.')
  return [...record.taps]
}

/** Other taps get the same payload: whoever changes it is found. */
function frozen<T>(value: T): T {
  const isOurs = Array.isArray(value) || (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
  if (!isOurs) return value
  for (const member of Object.values(value as object)) frozen(member)
  return Object.freeze(value)
}
