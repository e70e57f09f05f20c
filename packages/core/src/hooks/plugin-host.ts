import {
  definePlugin,
  HermesError,
  type Clock,
  type Command,
  type Logger,
  type PlatformRegistration,
  type Plugin,
  type Registration,
  type Tool,
} from '@hermes/plugin-sdk'
import { isolate, redactError, registration, type Redactor } from '../kernel/index.js'
import { createPluginScope, type PluginHouse, type PluginScope } from './plugin-scope.js'
import { createRegistry, nameTaken, type Registry } from './registry.js'

const registerTimeoutMs = 30_000
const contract = 1

/** What the host of plugins needs. */
export interface PluginHostPorts {
  readonly clock: Clock
  readonly logger: Logger
  readonly redactor: Redactor
}

/** Lets plugins in and out, and keeps what they registered. */
export interface PluginHost {
  /** By instance name. */
  readonly platforms: Registry<PlatformRegistration>
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  readonly tools: Registry<Tool<any>>
  readonly commands: Registry<Command>
  /**
   * Resolves when the plugin has registered; the registration takes it out again, in the background. Rejects with
   * `plugin.invalid` (no plugin, or written for another contract), `name.taken`, `stopped`, or with `plugin.failed` when its
   * `register` throws or takes more than 30 s: what it registered is undone then, and `plugins()` says why.
   */
  add(plugin: Plugin): Promise<Registration>
  /** All that are here or failed to come in. One that failed may be added again. */
  plugins(): readonly PluginHealth[]
  /** Takes all plugins out, the newest first, one after another; each `onStop` has 5 s. Idempotent. */
  stop(): Promise<void>
}

/** A plugin, as `health()` shows it. */
export interface PluginHealth {
  readonly id: string
  readonly state: 'registering' | 'registered' | 'failed'
  /** Why it failed, without secrets. */
  readonly reason?: string | undefined
}

interface Resident {
  readonly scope: PluginScope
  health: PluginHealth
}

/** Makes a host without plugins. */
export function createPluginHost(ports: PluginHostPorts): PluginHost {
  const house: PluginHouse = { ...ports, platforms: createRegistry('platform'), tools: createRegistry('tool'), commands: createRegistry('command') }
  const residents = new Map<string, Resident>()
  const leaving = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  const remove = (id: string, { scope }: Resident): void => {
    if (stopping.signal.aborted) return
    residents.delete(id)
    leaving.set(
      id,
      scope.leave().then(() => void leaving.delete(id)),
    )
  }
  return {
    platforms: house.platforms,
    tools: house.tools,
    commands: house.commands,
    async add(plugin) {
      const { id } = checkPlugin(plugin)
      await leaving.get(id)
      stopping.signal.throwIfAborted()
      const known = residents.get(id)
      if (known && known.health.state !== 'failed') throw nameTaken('plugin', id, id)
      const resident: Resident = { scope: createPluginScope(id, house), health: { id, state: 'registering' } }
      residents.delete(id)
      residents.set(id, resident)
      await letIn(plugin, resident, { ports, signal: stopping.signal })
      return registration(() => remove(id, resident))
    },
    plugins: () => [...residents.values()].map((resident) => resident.health),
    async stop() {
      stopping.abort(new HermesError('stopped', 'The host of the plugins has stopped.', { what: 'plugin host' }))
      for (const { scope } of [...residents.values()].toReversed()) await scope.leave()
      await Promise.all(leaving.values())
      residents.clear()
    },
  }
}

async function letIn(plugin: Plugin, resident: Resident, host: { ports: PluginHostPorts; signal: AbortSignal }): Promise<void> {
  const { clock, logger, redactor } = host.ports
  const where = 'register'
  const what = `plugin ${plugin.id}: ${where}`
  const entered = await isolate(() => plugin.register(resident.scope.host), { clock, timeoutMs: registerTimeoutMs, what, signal: host.signal })
  if (!entered.ok) await resident.scope.leave()
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

function checkPlugin(plugin: Plugin): Plugin {
  const { id } = definePlugin(plugin)
  const writtenFor: unknown = plugin.contract
  if (writtenFor === contract) return plugin
  const message =
    writtenFor === undefined
      ? `${id} is no plugin yet: make it with definePlugin of @hermes/plugin-sdk.`
      : `Plugin ${id} was written for contract ${JSON.stringify(writtenFor)}, and this host knows contract ${contract}. Use versions of the plugin and of @hermes/core that fit.`
  throw new HermesError('plugin.invalid', message, { pluginId: id, member: 'contract' })
}
