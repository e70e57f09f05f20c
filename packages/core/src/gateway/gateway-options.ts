import { parseOptions, type AgentRuntime, type Clock, type Logger } from '@hermes/plugin-sdk'
import { z } from 'zod'
import { granted, missingGrants, type PluginEntry } from '../hooks/index.js'
import type { Ids } from '../kernel/index.js'
import type { StateStore } from '../store/index.js'

const objectWith = <T>(what: string, ...methods: string[]) =>
  z.custom<T>(
    (value) => typeof value === 'object' && value !== null && methods.every((method) => typeof Reflect.get(value, method) === 'function'),
    `must be ${what}`,
  )

const pluginEntry = z.custom<PluginEntry>().superRefine((entry, context) => {
  const issue = isPluginEntry(entry)
    ? missingGrants(entry)?.message
    : 'must be a plugin, such as definePlugin(…), grant(…) or an adapter’s factory makes'
  if (issue) context.addIssue(issue)
})

function isPluginEntry(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const plugin: unknown = granted(value as PluginEntry).plugin
  return typeof plugin === 'object' && plugin !== null && typeof Reflect.get(plugin, 'register') === 'function'
}

const gatewayOptions = z.object({
  agent: objectWith<AgentRuntime>('an AgentRuntime, such as createAgent({ model }) makes', 'run'),
  store: objectWith<StateStore>('a StateStore, such as sqliteStore(path) makes', 'open', 'execute', 'close').optional(),
  plugins: z.array(pluginEntry).readonly().default([]),
  secrets: z.array(z.string().min(1)).readonly().default([]),
  dataDir: z.string().min(1).optional(),
  logger: objectWith<Logger>('a logger with debug, info, warn and error', 'debug', 'info', 'warn', 'error').optional(),
  clock: objectWith<Clock>('a clock with now, sleep and random', 'now', 'sleep', 'random').optional(),
  ids: objectWith<Ids>('a source of ids with next and key', 'next', 'key').optional(),
  onUnknown: z.enum(['repeat-marked', 'hold']).default('repeat-marked'),
  maxSteps: z.int().min(1).default(90),
  hookTimeoutSeconds: z.number().min(0).default(30),
  limits: z
    .strictObject({
      waitingPerConversation: z.int().min(1).default(32),
      concurrentTurns: z.int().min(1).default(256),
      inboxRows: z.int().min(1).default(10_000),
      messagesPerMinute: z.int().min(0).default(120),
    })
    .prefault({}),
})

/** What a gateway is made of. */
export interface GatewayOptions {
  readonly agent: AgentRuntime
  /** Default: memory, which forgets everything with the process. */
  readonly store?: StateStore | undefined
  /** Adapters, tools, commands: loaded in this order, each behind those that it requires. */
  readonly plugins?: readonly PluginEntry[] | undefined
  /** Values that must appear in no log, error or chat, such as a model's key. Those in adapters' options are known. */
  readonly secrets?: readonly string[] | undefined
  /** Where files of conversations lie. Default: beside the store's file; without one, in memory. */
  readonly dataDir?: string | undefined
  /** Default: JSON lines on standard output, from `info` up. */
  readonly logger?: Logger | undefined
  readonly clock?: Clock | undefined
  readonly ids?: Ids | undefined
  /**
   * A piece of which nobody knows whether people saw it (a cut connection, a crash in the call) is sent once more with a visible mark,
   * or held for the operator. Default `repeat-marked`.
   */
  readonly onUnknown?: 'repeat-marked' | 'hold' | undefined
  /** Model calls of one turn. Default 90. */
  readonly maxSteps?: number | undefined
  /** How long a tap of a hook may take, where the hook has no limit of its own. Default 30, at most 600; 0: as long as it likes. */
  readonly hookTimeoutSeconds?: number | undefined
  readonly limits?:
    | {
        /** Messages that wait in one conversation; a further one is answered with a notice. Default 32. */
        readonly waitingPerConversation?: number | undefined
        /** Turns that run at once; others wait. Default 256. */
        readonly concurrentTurns?: number | undefined
        /** Stored messages that no turn has taken up; beyond it platforms wait. Default 10 000. */
        readonly inboxRows?: number | undefined
        /**
         * Messages, reactions and the like of one sender that are taken within a minute; what goes beyond is not stored, and the sender is
         * told once. What was sent while the bot was away is taken all the same. Default 120; 0: all.
         */
        readonly messagesPerMinute?: number | undefined
      }
    | undefined
}

/** Parsed options. */
export type ParsedGatewayOptions = Readonly<z.output<typeof gatewayOptions>>

/** Throws `options.invalid` with every issue. */
export function parseGatewayOptions(options: GatewayOptions): ParsedGatewayOptions {
  return parseOptions(gatewayOptions, options, 'createGateway()')
}

/** The longest limit of a hook. */
const longestHookSeconds = 600

/** Milliseconds; `undefined`: no limit. */
export function hookTimeoutMs({ hookTimeoutSeconds }: Pick<ParsedGatewayOptions, 'hookTimeoutSeconds'>): number | undefined {
  return hookTimeoutSeconds === 0 ? undefined : Math.min(hookTimeoutSeconds, longestHookSeconds) * 1000
}
