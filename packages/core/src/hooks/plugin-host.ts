import {
  definePlugin,
  type AdapterView,
  type Awaitable,
  HermesError,
  type Clock,
  type Command,
  type Logger,
  type PlatformRegistration,
  type Plugin,
  type Registration,
  type Tool,
} from '@hermes/plugin-sdk'
import { isolate, redactError, registration, runAsOurs, type LateFailureWatch, type Redactor } from '../kernel/index.js'
import { granted, missingGrants, type GrantedPlugin, type PluginEntry } from './grants.js'
import type { CallRecord } from './call-record.js'
import type { HookBus } from './hook-bus.js'
import { worstState, type HookHealth } from './hook-health.js'
import { createPluginScope, type HostServices, type PluginHouse, type PluginScope, type ServedPlugin } from './plugin-scope.js'
import { PlaceRecords } from './place-records.js'
import { createPlatformHandlers, type NativeWiring, type PlatformHandlers } from './platform-handlers.js'
import { createRegistry, nameTaken } from './registry.js'

const registerTimeoutMs = 30_000
const contract = 1

/** What the host of plugins needs. */
export interface PluginHostPorts {
  readonly clock: Clock
  readonly logger: Logger
  readonly redactor: Redactor
  /** What a plugin gets of the house besides its registrations. */
  readonly services: (plugin: ServedPlugin) => HostServices
  /** Where taps are hung onto. */
  readonly hooks: HookBus
  /** Watches over what plugins start. Absent: nobody does. */
  readonly watch?: LateFailureWatch | undefined
  /** Aborts when the house closes: then nobody comes in any more, and who is coming in is turned back. Default: never. */
  readonly signal?: AbortSignal | undefined
  /** Names of commands that no plugin may take. */
  readonly reservedCommands?: Iterable<string> | undefined
  /** Hears when commands came or went. Must not throw. */
  readonly onCommandsChanged?: (() => void) | undefined
}

/** Begins to serve a platform, under its instance name; the result ends that, within 15 s. It must not throw. */
export type AttachPlatform = (name: string, platform: PlatformRegistration) => () => Awaitable<void>

/** Lets plugins in and out, and keeps what they registered. */
export interface PluginHost {
  /**
   * Resolves when the plugin has registered; the registration takes it out again, in the background. Rejects with
   * `plugin.invalid` (no plugin, or written for another contract), `grant.missing`, `name.taken`, `stopped`, or with `plugin.failed` when a
   * plugin that it requires is not here or when its `register` throws or takes more than 30 s: what it registered is undone then, and
   * `plugins()` says why.
   */
  add(entry: PluginEntry): Promise<Registration>
  /** All that are here or failed to come in, then the taps of no plugin. One that failed may be added again. */
  plugins(): readonly PluginHealth[]
  /** Who serves the platforms that are registered from now on. Platforms end in their plugin's order of undoing. */
  onPlatform(attach: AttachPlatform): void
  /** The platform handlers for a new connection of an adapter. */
  wiring(adapter: AdapterView): NativeWiring
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  tools(): readonly Tool<any>[]
  commands(): readonly Command[]
  command(name: string): Command | undefined
  /** Where it is counted how a tool or command of a plugin does. */
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  recordOf(brought: Tool<any> | Command): CallRecord | undefined
  /** Takes all plugins out, the newest first, one after another; each `onStop` has 5 s. Idempotent. */
  stop(): Promise<void>
}

/** A plugin, as `health()` shows it; taps that were hung onto tapable's hooks directly stand as `tapable:<their name>`. */
export interface PluginHealth {
  readonly id: string
  /** `degraded` and `suppressed`: it is here, and this is the worst state of its places. */
  readonly state: 'registered' | 'degraded' | 'suppressed' | 'failed'
  /** Why it failed, without secrets. */
  readonly reason?: string | undefined
  /**
   * The places where its code is called: hooks that it taps, `platformHandler:<platform>`; `tool:<name>`, `command:<name>` and `register` as soon as
   * they have something to tell. Absent: none.
   */
  readonly hooks?: readonly HookHealth[] | undefined
}

interface Resident {
  readonly scope: PluginScope
  /** Not known while it registers. */
  health?: PluginHealth | undefined
}

/** Makes a host without plugins. */
export function createPluginHost(ports: PluginHostPorts): PluginHost {
  return new RegistryHost(ports)
}

class RegistryHost implements PluginHost {
  readonly #ports: PluginHostPorts
  readonly #house: PluginHouse
  readonly #residents = new Map<string, Resident>()
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #stopping = new AbortController()
  readonly #natives: PlatformHandlers
  readonly #records: PlaceRecords
  #attach: AttachPlatform = () => () => {}

  constructor(ports: PluginHostPorts) {
    this.#ports = ports
    ports.signal?.addEventListener('abort', () => this.#close(), { once: true })
    const { clock, logger, redactor, watch, onCommandsChanged } = ports
    const recording = { clock, logger, redact: redactor.redact, watch }
    this.#natives = createPlatformHandlers(recording)
    this.#records = new PlaceRecords(recording)
    this.#house = {
      ...ports,
      natives: this.#natives,
      records: this.#records,
      platforms: createRegistry('platform'),
      tools: createRegistry('tool'),
      commands: createRegistry('command', { reserved: ports.reservedCommands, onChange: onCommandsChanged && (() => runAsOurs(onCommandsChanged)) }),
      attach: (name, platform) => this.#attach(name, platform),
    }
  }

  async add(entry: PluginEntry): Promise<Registration> {
    const asked = checkPlugin(entry)
    const { id } = asked.plugin
    await this.#leaving.get(id)
    this.#stopping.signal.throwIfAborted()
    const known = this.#residents.get(id)
    if (known && known.health?.state !== 'failed') throw nameTaken('plugin', id, id)
    const resident: Resident = { scope: createPluginScope(asked, this.#house) }
    this.#residents.delete(id)
    this.#residents.set(id, resident)
    const isHere = (other: string): boolean => this.#residents.get(other)?.health?.state === 'registered'
    await letIn(asked.plugin, resident, { ports: this.#ports, signal: this.#stopping.signal, isHere })
    return registration(() => this.#remove(id, resident))
  }

  plugins(): readonly PluginHealth[] {
    const hooks = joinHealth(this.#ports.hooks.health(), this.#natives.health(), this.#records.health())
    const residents = [...this.#residents.values()].flatMap(({ health }) => {
      if (!health) return []
      const tapped = hooks.get(health.id)
      hooks.delete(health.id)
      return tapped ? withHooks(health, tapped) : health
    })
    const others = [...hooks].filter(([owner]) => !this.#residents.has(owner))
    return [...residents, ...others.map(([id, tapped]) => withHooks({ id, state: 'registered' }, tapped))]
  }

  wiring(adapter: AdapterView): NativeWiring {
    return this.#natives.open(adapter)
  }

  onPlatform(attach: AttachPlatform): void {
    this.#attach = attach
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  tools(): readonly Tool<any>[] {
    return this.#house.tools.list()
  }

  commands(): readonly Command[] {
    return this.#house.commands.list()
  }

  command(name: string): Command | undefined {
    return this.#house.commands.get(name)
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  recordOf(brought: Tool<any> | Command): CallRecord | undefined {
    return this.#records.of(brought)
  }

  async stop(): Promise<void> {
    this.#close()
    for (const { scope } of [...this.#residents.values()].toReversed()) await scope.leave()
    await Promise.all(this.#leaving.values())
    this.#residents.clear()
  }

  #close(): void {
    this.#stopping.abort(new HermesError('stopped', 'The host of the plugins has stopped.', { what: 'plugin host' }))
  }

  #remove(id: string, { scope }: Resident): void {
    if (this.#stopping.signal.aborted) return
    this.#residents.delete(id)
    const left = scope.leave().then(() => void this.#leaving.delete(id))
    this.#leaving.set(id, left)
  }
}

type OwnerHealth = ReadonlyMap<string, readonly HookHealth[]>

function joinHealth(...kinds: readonly OwnerHealth[]): Map<string, readonly HookHealth[]> {
  const joined = new Map<string, readonly HookHealth[]>()
  for (const owners of kinds) for (const [owner, health] of owners) joined.set(owner, [...(joined.get(owner) ?? []), ...health])
  return joined
}

function withHooks(health: PluginHealth, hooks: readonly HookHealth[]): PluginHealth {
  const worst = hooks.map(({ state }) => state).reduce(worstState, 'disposed')
  const isWell = health.state === 'failed' || worst === 'ok' || worst === 'disposed'
  return { ...health, state: isWell ? health.state : worst, hooks }
}

interface Entrance {
  readonly ports: PluginHostPorts
  readonly signal: AbortSignal
  isHere(pluginId: string): boolean
}

async function letIn(plugin: Plugin, resident: Resident, host: Entrance): Promise<void> {
  const { clock, logger, redactor, watch } = host.ports
  const { scope } = resident
  const where = 'register'
  const what = `plugin ${plugin.id}: ${where}`
  const register = (): Awaitable<void> => {
    const missing = plugin.requires?.find((id) => id !== plugin.id && !host.isHere(id))
    if (missing !== undefined) throw new Error(`It requires the plugin ${missing}, which is not here: it is not among the plugins, or failed.`)
    return scope.record.run(() => plugin.register(scope.host))
  }
  const followed = watch?.follow()
  const entered = await isolate(register, { clock, timeoutMs: registerTimeoutMs, what, signal: host.signal })
  // The way of a message through an adapter stays free of it: what an adapter breaks late ends the process, and loses nothing.
  if (entered.ok && scope.isAdapter) followed?.[Symbol.dispose]()
  if (!entered.ok) await scope.leave()
  host.signal.throwIfAborted()
  if (entered.ok) {
    resident.health = { id: plugin.id, state: 'registered' }
    return
  }
  const cause = redactError(entered.error, redactor.redact)
  resident.health = { id: plugin.id, state: 'failed', reason: cause.message }
  logger.error({ plugin: plugin.id, error: cause }, 'A plugin failed to register; what it had registered is undone.')
  throw new HermesError('plugin.failed', `Plugin ${plugin.id} failed in ${where}: ${cause.message}`, { pluginId: plugin.id, where }, { cause })
}

/** The entry as this host understands it: what it says of itself was read once. */
function checkPlugin(entry: PluginEntry): GrantedPlugin {
  const { plugin: offered, granted: given } = granted(entry)
  const plugin = definePlugin(offered)
  const { id } = plugin
  const writtenFor: unknown = offered.contract
  if (writtenFor === contract) {
    const missing = missingGrants({ plugin, granted: given })
    if (missing) throw new HermesError('grant.missing', missing.message, { pluginId: id, grant: missing.grant })
    return { plugin, granted: given }
  }
  const message =
    writtenFor === undefined
      ? `${id} is no plugin yet: make it with definePlugin of @hermes/plugin-sdk.`
      : `Plugin ${id} was written for contract ${JSON.stringify(writtenFor)}, and this host knows contract ${contract}. Use versions of the plugin and of @hermes/core that fit.`
  throw new HermesError('plugin.invalid', message, { pluginId: id, member: 'contract' })
}
