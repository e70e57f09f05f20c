import type { HookContext, HookName, Hooks, HookTap } from '@hermes/plugin-sdk'
import { AsyncSeriesHook, SyncHook, type FullTap, type HookInterceptor } from 'tapable'

type Answer<N extends HookName> = Hooks[N]['result'] | null | undefined | void
type TapOptions = string | { readonly name: string; readonly stage?: number | undefined; readonly before?: string | undefined }

/**
 * A tapable hook, for those who know tapable. A tap hung onto it directly is isolated like those of plugins, and belongs to
 * `tapable:<its name>` in the health and in the log; `host.on` is the ordinary way. The hooks are called by hermes alone.
 */
export interface TappableHook<N extends HookName> {
  readonly name: string | undefined
  readonly taps: readonly Readonly<Pick<FullTap, 'name' | 'stage'>>[]
  tap(options: TapOptions, tap: HookTap<N>): void
  tapPromise(options: TapOptions, tap: (...call: Parameters<HookTap<N>>) => Promise<Answer<N>>): void
  tapAsync(
    options: TapOptions,
    tap: (payload: Hooks[N]['payload'], context: HookContext, callback: (error?: unknown, answer?: Answer<N>) => void) => void,
  ): void
  /** Watches taps and calls. An interceptor is not isolated: what it throws ends the call, as a failure. */
  intercept(interceptor: Omit<HookInterceptor<[Hooks[N]['payload'], HookContext], void>, 'context'>): void
}

/** The same hook without what must answer later. */
export type TappableSyncHook<N extends HookName> = Omit<TappableHook<N>, 'tapPromise' | 'tapAsync'>

/** The hooks of a gateway; what each of them means stands at `Hooks` of the plugin SDK. */
export type GatewayHooks = ReturnType<typeof createGatewayHooks>

/** All arguments of a hook: what the taps get, and the call that collects their answers. */
export type HookArguments = [payload: object, call: object]

/** Makes the hooks, without a tap. */
export function createGatewayHooks() {
  return Object.freeze({
    preDispatch: asyncHook('preDispatch'),
    preCommand: asyncHook('preCommand'),
    sessionStart: asyncHook('sessionStart'),
    sessionEnd: asyncHook('sessionEnd'),
    turnStart: asyncHook('turnStart'),
    turnEnd: asyncHook('turnEnd'),
    preModelCall: asyncHook('preModelCall'),
    postModelCall: asyncHook('postModelCall'),
    modelError: asyncHook('modelError'),
    preToolCall: asyncHook('preToolCall'),
    postToolCall: asyncHook('postToolCall'),
    transformToolResult: asyncHook('transformToolResult'),
    transformAnswer: asyncHook('transformAnswer'),
    streamDelta: syncHook('streamDelta'),
    prefersFreshFinalStreaming: syncHook('prefersFreshFinalStreaming'),
    deliveryOutcome: asyncHook('deliveryOutcome'),
    adapterConnected: asyncHook('adapterConnected'),
    adapterFailed: asyncHook('adapterFailed'),
  } satisfies { readonly [N in HookName]: unknown })
}

function asyncHook<N extends HookName>(name: N): TappableHook<N> {
  return new AsyncSeriesHook<HookArguments>(['payload', 'call'], name) as unknown as TappableHook<N>
}

function syncHook<N extends HookName>(name: N): TappableSyncHook<N> {
  return new SyncHook<HookArguments>(['payload', 'call'], name) as unknown as TappableSyncHook<N>
}
