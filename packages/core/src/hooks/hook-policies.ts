import type { HookName, Hooks } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** How the taps of a hook are called, and what becomes of one that fails. */
export interface HookPolicy {
  /** Milliseconds a tap may take. `usual`: the limit of the composer's options. */
  readonly timeLimit: 'usual' | 'none' | number
  /** Reads what a tap answered; throws for a wrong shape. Absent: nobody asks for an answer, and what it says is ignored. */
  readonly read?: ((answer: unknown) => unknown) | undefined
  readonly mode: Hooks[HookName]['mode']
}

const adapterLimitMs = 5000
/** Where people may have to be asked, or nobody waits: long, but not for ever. */
const longLimitMs = 600_000
const observer = { mode: 'async', timeLimit: 'usual' } as const

/** The rules of all hooks. */
export const hookPolicies: { readonly [N in HookName]: HookPolicy } = {
  preDispatch: {
    mode: 'async',
    timeLimit: longLimitMs,
    read: reader(
      z.discriminatedUnion('action', [
        z.object({ action: z.literal('allow') }),
        z.object({ action: z.literal('skip'), reason: z.string() }),
        z.object({ action: z.literal('rewrite'), text: z.string() }),
      ]),
    ),
  },
  preCommand: { mode: 'async', timeLimit: longLimitMs },
  sessionStart: observer,
  sessionEnd: observer,
  turnStart: { mode: 'async', timeLimit: 'usual', read: reader(z.object({ context: z.string() })) },
  turnEnd: observer,
  preModelCall: observer,
  postModelCall: observer,
  modelError: observer,
  preToolCall: {
    mode: 'async',
    timeLimit: 'usual',
    read: reader(
      z.discriminatedUnion('action', [
        z.object({ action: z.literal('block'), message: z.string() }),
        z.object({ action: z.literal('approve'), message: z.string().optional() }),
        z.object({ action: z.literal('modify'), input: z.record(z.string(), z.json()) }),
      ]),
    ),
  },
  postToolCall: observer,
  transformToolResult: { mode: 'async', timeLimit: 'usual', read: reader(z.string()) },
  transformAnswer: { mode: 'async', timeLimit: 'usual', read: reader(z.string()) },
  streamDelta: { mode: 'queued', timeLimit: 'usual' },
  prefersFreshFinalStreaming: { mode: 'sync', timeLimit: 'none', read: reader(z.boolean()) },
  deliveryOutcome: observer,
  adapterConnected: { mode: 'async', timeLimit: adapterLimitMs },
  adapterFailed: { mode: 'async', timeLimit: adapterLimitMs },
}

/** Is there such a hook? */
export function isHookName(name: string): name is HookName {
  return Object.hasOwn(hookPolicies, name)
}

function reader(schema: z.ZodType): (answer: unknown) => unknown {
  return (answer) => {
    const read = schema.safeParse(answer)
    if (read.success) return read.data
    const issues = read.error.issues.map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    throw new TypeError(`It answered with something else than the hook asks for (${issues.join('; ')}).`)
  }
}
