import { closestName, HermesError, type HookContext, type HookName, type HookOptions, type Registration } from '@hermes/plugin-sdk'
import type { AsyncSeriesHook, FullTap, SyncHook } from 'tapable'
import { registration, runAsOurs } from '../kernel/index.js'
import type { RecordPorts } from './call-record.js'
import { createGatewayHooks, type GatewayHooks, type HookArguments } from './gateway-hooks.js'
import type { HookCall } from './hook-call.js'
import { mergeHealth, type HookHealth } from './hook-health.js'
import { hookPolicies, isHookName, type HookPolicy } from './hook-policies.js'
import { IsolatedTap, type TapFunction } from './isolated-tap.js'
import { TapQueue } from './tap-queue.js'

/** Taps of one owner, on all hooks together. */
const mostTapsOfOwner = 256
/** Taps of one hook: a call nests them, and the stack has an end. */
const mostTapsOfHook = 1000
/** Marks taps that came through `host.on`: they bring their isolation along. */
const isolation = Symbol('isolation')

interface MarkedTap extends FullTap {
  readonly [isolation]?: IsolatedTap
}

/** What one owner has hung onto the hooks. */
interface OwnerTaps {
  readonly taps: Set<IsolatedTap>
  /** What became of taps that were taken out, by hook. */
  readonly gone: Map<string, HookHealth>
  /** Taps of hooks that do not exist, by name. */
  readonly unknown: string[]
}

/** What the board needs of the house. */
export interface TapBoardPorts extends RecordPorts {
  /** The limit of hooks that have no special one, milliseconds; `undefined`: none. */
  readonly timeoutMs: number | undefined
}

/** The hooks with everything that hangs onto them: each tap is isolated when it is registered, and knows whose it is. */
export class TapBoard {
  readonly hooks: GatewayHooks = createGatewayHooks()
  readonly #ports: TapBoardPorts
  readonly #owners = new Map<string, OwnerTaps>()

  constructor(ports: TapBoardPorts) {
    this.#ports = ports
    for (const name of Object.keys(hookPolicies) as HookName[]) {
      this.tapable(name).intercept({ name: 'hermes', register: (tap) => this.#admit(name, tap) })
    }
  }

  /** A hook as tapable knows it. */
  tapable(name: HookName): AsyncSeriesHook<HookArguments> {
    return this.hooks[name] as unknown as AsyncSeriesHook<HookArguments>
  }

  /** A hook whose taps answer at once, as tapable knows it. */
  instant(name: 'streamDelta' | 'prefersFreshFinalStreaming'): SyncHook<HookArguments> {
    return this.hooks[name] as unknown as SyncHook<HookArguments>
  }

  /** Hangs the tap of a plugin onto a hook. Throws `value.invalid`. */
  on(owner: string, name: string, { tap, options = {} }: { readonly tap: TapFunction; readonly options?: HookOptions | undefined }): Registration {
    assertTap(name, tap, options)
    if (!isHookName(name)) return this.#keep(owner, name)
    const { stage = 0, platform } = options
    const isolated = this.#isolate({ owner, name, run: tap, platform })
    const marked = { name: owner, stage, [isolation]: isolated }
    this.tapable(name).tap(marked, () => {})
    return registration(() => this.#remove(name, isolated))
  }

  /** Takes out what is left of an owner, and forgets how it did. */
  forget(owner: string): void {
    for (const tap of this.#owners.get(owner)?.taps ?? []) this.#remove(tap.hook, tap)
    this.#owners.delete(owner)
  }

  /** Takes out every tap. */
  clear(): void {
    for (const owner of this.#owners.keys()) this.forget(owner)
  }

  /** By owner, in the order of their first taps. */
  health(): ReadonlyMap<string, readonly HookHealth[]> {
    return new Map([...this.#owners].map(([owner, { taps, gone }]) => [owner, healthOf(taps, gone)]))
  }

  /** Every tap goes through here, whoever registers it: what tapable gets to call is its isolation. */
  #admit(name: HookName, tap: MarkedTap): MarkedTap {
    const isolated = tap[isolation] ?? this.#isolate({ owner: `tapable:${tap.name}`, name, run: oneForm(tap) })
    const owned = this.#ownerOf(isolated.owner)
    assertRoom(`onto the hook ${name}`, this.tapable(name).taps.length, mostTapsOfHook)
    assertRoom(`of ${isolated.owner}`, owned.taps.size + owned.unknown.length, mostTapsOfOwner)
    owned.taps.add(isolated)
    this.#ports.watch?.follow()
    return { ...tap, ...asTapable(isolated, hookPolicies[name]), [isolation]: isolated }
  }

  #isolate(tap: { readonly owner: string; readonly name: HookName; readonly run: TapFunction; readonly platform?: string | undefined }): IsolatedTap {
    const { owner, name, run, platform } = tap
    const policy = hookPolicies[name]
    const { timeLimit } = policy
    const timeoutMs = timeLimit === 'usual' ? this.#ports.timeoutMs : timeLimit === 'none' ? undefined : timeLimit
    return new IsolatedTap({ ...this.#ports, owner, hook: name, run, platform, policy, timeoutMs })
  }

  #remove(name: HookName, isolated: IsolatedTap): void {
    const owned = this.#ownerOf(isolated.owner)
    isolated.dispose()
    if (!owned.taps.delete(isolated)) return
    const before = owned.gone.get(name)
    const health = isolated.health()
    owned.gone.set(name, before ? mergeHealth(before, health) : health)
    const hook = this.tapable(name)
    const place = hook.taps.findIndex((tap: MarkedTap) => tap[isolation] === isolated)
    if (place === -1) return
    hook.taps.splice(place, 1)
    // tapable has no removal: an interceptor that comes makes it compile the hook anew, and is not needed any longer then.
    hook.intercept({})
    hook.interceptors.pop()
  }

  /** A name that this version does not know may be a hook of another one: the plugin works without it. */
  #keep(owner: string, name: string): Registration {
    const { unknown, taps } = this.#ownerOf(owner)
    assertRoom(`of ${owner}`, taps.size + unknown.length, mostTapsOfOwner)
    const close = closestName(name, Object.keys(hookPolicies))
    const advice = close === undefined ? '' : ` Did you mean ${close}?`
    this.#ports.logger.warn({ plugin: owner, hook: name }, `A plugin hangs a tap onto a hook that does not exist; it is never called.${advice}`)
    unknown.push(name)
    return registration(() => unknown.splice(unknown.indexOf(name), 1))
  }

  #ownerOf(owner: string): OwnerTaps {
    const known = this.#owners.get(owner)
    if (known) return known
    const owned = { taps: new Set<IsolatedTap>(), gone: new Map<string, HookHealth>(), unknown: [] }
    this.#owners.set(owner, owned)
    return owned
  }
}

/** How tapable calls an isolated tap. It is told of no failure: one would end the call for the taps behind it. */
function asTapable(tap: IsolatedTap, { mode }: HookPolicy): Pick<FullTap, 'type' | 'fn'> {
  if (mode === 'sync') return { type: 'sync', fn: (_payload: object, call: HookCall) => void tap.run(call) }
  if (mode === 'queued') {
    const queue = new TapQueue(tap)
    return { type: 'sync', fn: (payload: object) => queue.push(payload) }
  }
  return {
    type: 'async',
    fn(_payload: object, call: HookCall, next: () => void) {
      const waiting = tap.run(call)
      if (waiting) void runAsOurs(() => goOn(waiting, { call, next }))
      else next()
    },
  }
}

async function goOn(waiting: Promise<void>, { call, next }: { readonly call: HookCall; readonly next: () => void }): Promise<void> {
  try {
    await waiting
    next()
  } catch (error) {
    // No tap throws: it was an interceptor.
    call.end({ error })
  }
}

/** A raw tap of any kind, as a function that answers with its result or a promise of it. */
function oneForm({ type, fn }: FullTap): TapFunction {
  if (type !== 'async') return (payload, context) => fn(payload, context) as unknown
  return (payload, context: HookContext) =>
    new Promise((resolve, reject) => {
      fn(payload, context, (error?: unknown, answer?: unknown) => (error ? reject(error as Error) : resolve(answer)))
    })
}

function healthOf(taps: Iterable<IsolatedTap>, gone: ReadonlyMap<string, HookHealth>): readonly HookHealth[] {
  const hooks = new Map(gone)
  for (const tap of taps) {
    const before = hooks.get(tap.hook)
    hooks.set(tap.hook, before ? mergeHealth(before, tap.health()) : tap.health())
  }
  return [...hooks.values()]
}

function assertTap(name: unknown, tap: unknown, { stage, platform }: { readonly stage?: unknown; readonly platform?: unknown }): void {
  const issues: string[] = []
  if (typeof name !== 'string' || name === '') issues.push('the hook must have a name')
  if (typeof tap !== 'function') issues.push('the tap must be a function')
  if (stage !== undefined && !Number.isFinite(stage)) issues.push('stage must be a number')
  if (platform !== undefined && (typeof platform !== 'string' || platform === '')) issues.push('platform must be the name of a platform')
  if (issues.length > 0) throw new HermesError('value.invalid', `A tap cannot be registered: ${issues.join('; ')}.`, { where: 'hook', issues })
}

function assertRoom(what: string, taken: number, most: number): void {
  if (taken < most) return
  const issues = [`there are ${most} taps ${what} already, and more are not taken`]
  throw new HermesError('value.invalid', `A tap cannot be registered: ${issues.join('; ')}.`, { where: 'hook', issues })
}
