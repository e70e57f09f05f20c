import { setMaxListeners } from 'node:events'
import {
  defineCommand,
  defineTool,
  HermesError,
  type Awaitable,
  type Clock,
  type Command,
  type HostApi,
  type Logger,
  type NativeHandler,
  type PlatformRegistration,
  type Registration,
  type Tool,
} from '@hermes/plugin-sdk'
import { findSecrets, isolate, loggerFor, registration, runAsOurs, type Redactor } from '../kernel/index.js'
import type { CallRecord } from './call-record.js'
import type { GrantedPlugin } from './grants.js'
import type { HookBus } from './hook-bus.js'
import type { PlaceRecords } from './place-records.js'
import type { PlatformHandlers } from './platform-handlers.js'
import type { Registry } from './registry.js'
import { createUndoStack, type UndoStack, type UndoStep } from './undo-stack.js'

/** One `onStop` of a plugin may take so long. */
const undoTimeoutMs = 5000
/** The undo functions of a platform handler run beside each other and have 5 s each; this one is the net below them. */
const unwireTimeoutMs = 6000
/** What one plugin may have registered at once: more is a loop that went wrong. */
const mostRegistrations = 1000
/** Secrets of one plugin that are hidden at once: every line of the log is searched for each of them. */
const mostSecrets = 100
/** A platform ends by itself within its own limits; this one is the net below them. */
const detachTimeoutMs = 15_000

/** What the house does for a plugin besides registering what it brings. */
export type HostServices = Pick<HostApi, 'storage' | 'inject' | 'send' | 'run'>

/** Whom the house serves. */
export interface ServedPlugin {
  readonly id: string
  readonly can: HostApi['can']
  /** Aborts when it leaves: what it has the house do ends. */
  readonly leaving: AbortSignal
}

/** What the plugins of one host share. */
export interface PluginHouse {
  readonly clock: Clock
  readonly logger: Logger
  readonly redactor: Redactor
  /** By instance name. */
  readonly platforms: Registry<PlatformRegistration>
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  readonly tools: Registry<Tool<any>>
  readonly commands: Registry<Command>
  readonly hooks: Pick<HookBus, 'on' | 'forget'>
  readonly natives: Pick<PlatformHandlers, 'add'>
  readonly records: PlaceRecords
  readonly services: (plugin: ServedPlugin) => HostServices
  /** Begins to serve a platform; the result ends that. */
  attach(name: string, platform: PlatformRegistration): () => Awaitable<void>
}

/** One plugin's stay in a house. */
export interface PluginScope {
  /** What the plugin gets to see. It refuses with `stopped` once the plugin has left. */
  readonly host: HostApi
  /** How the plugin does where it registers, and beyond: what it started then is its own. */
  readonly record: CallRecord
  /** Did it ever bring a platform? */
  readonly isAdapter: boolean
  /** Undoes in reverse order what was registered, each step isolated. The second call answers with the first one's promise. */
  leave(): Promise<void>
}

/** Lets a plugin in. Secrets that it told stay hidden after it left: what it started may still log for a while. */
export function createPluginScope({ plugin, granted }: GrantedPlugin, house: PluginHouse): PluginScope {
  const pluginId = plugin.id
  const logger = loggerFor(house.logger, { plugin: pluginId })
  const record = house.records.open(pluginId, 'register')
  const undo = async (step: UndoStep): Promise<void> => {
    const undone = await isolate(() => step.run(), { clock: house.clock, timeoutMs: step.timeoutMs, what: `plugin ${pluginId}: onStop` })
    if (!undone.ok) logger.warn({ error: undone.error }, 'A plugin could not undo something when it left.')
  }
  const undos = createUndoStack((step) => runAsOurs(() => undo(step)))
  let isAdapter = false
  let leaving: Promise<void> | undefined
  const assertPresent = (): void => {
    if (leaving === undefined) return
    throw new HermesError('stopped', `Plugin ${pluginId} has left its host and can register nothing more.`, { what: `plugin ${pluginId}` })
  }
  const assertRoom = (): void => {
    assertPresent()
    if (undos.size >= mostRegistrations) throw tooMany(pluginId, `${mostRegistrations} registrations`)
  }
  const onPlatform = (): void => void (isAdapter = true)
  const can: HostApi['can'] = (grant) => granted.includes(grant)
  const stay = new AbortController()
  // Each of its open runs listens; how many those may be is bounded where they are made.
  setMaxListeners(0, stay.signal)
  const services = house.services({ id: pluginId, can, leaving: stay.signal })
  const leave = async (): Promise<void> => {
    stay.abort()
    await undos.unwind()
    house.hooks.forget(pluginId)
    house.records.forget(pluginId)
  }
  return {
    host: createHostApi({ pluginId, can, house, services, logger, undos, record, onPlatform, assertPresent, assertRoom }),
    record,
    get isAdapter() {
      return isAdapter
    },
    leave: () => (leaving ??= leave()),
  }
}

interface ScopeParts {
  readonly pluginId: string
  readonly can: HostApi['can']
  readonly house: PluginHouse
  readonly services: HostServices
  readonly logger: Logger
  readonly undos: UndoStack
  readonly record: CallRecord
  readonly onPlatform: () => void
  readonly assertPresent: () => void
  /** Also refuses with `value.invalid` when the plugin has registered too much. */
  readonly assertRoom: () => void
}

/** Plugins call it out of their own code: what it starts belongs to the house. */
function createHostApi(parts: ScopeParts): HostApi {
  const { pluginId, can, house, services, logger, undos, record, onPlatform, assertPresent, assertRoom } = parts
  const enter = <T extends object>(kind: 'tool' | 'command', entered: { registry: Registry<T>; name: string; value: T }): Registration => {
    assertRoom()
    const { registry, name, value } = entered
    const replaces = kind === 'tool' && can('tools.override')
    const entry = registry.add({ name, value, owner: pluginId }, { replaces })
    const kept = house.records.keep(value, pluginId, `${kind}:${name}`)
    const run = (): void => {
      entry.dispose()
      kept.dispose()
    }
    return undos.push({ timeoutMs: undoTimeoutMs, run })
  }
  const wireNatives: HostApi['registerPlatformHandler'] = (platform, wire) => {
    assertRoom()
    const handler = runAsOurs(() => house.natives.add(pluginId, platform, wire as NativeHandler<string>))
    return undos.push({ timeoutMs: unwireTimeoutMs, run: () => handler.remove() })
  }
  let secrets = 0
  return {
    pluginId,
    logger,
    clock: house.clock,
    storage: services.storage,
    async inject(message) {
      assertPresent()
      return runAsOurs(() => services.inject(message))
    },
    async send(chat, message) {
      assertPresent()
      return runAsOurs(() => services.send(chat, message))
    },
    run(request) {
      assertPresent()
      return runAsOurs(() => services.run(request))
    },
    registerPlatform(platform) {
      assertPlatform(platform)
      assertRoom()
      onPlatform()
      return undos.push({ timeoutMs: detachTimeoutMs, run: runAsOurs(() => attachPlatform(platform, pluginId, house)) })
    },
    registerPlatformHandler: wireNatives,
    registerTelegramHandler: (wire) => wireNatives('telegram', wire),
    registerTool: (tool) => enter('tool', { registry: house.tools, name: defineTool(tool).name, value: tool }),
    registerCommand: (command) => enter('command', { registry: house.commands, name: defineCommand(command).name, value: command }),
    on(name, tap, options) {
      assertRoom()
      const hung = house.hooks.on(pluginId, name, { tap, options })
      return undos.push({ timeoutMs: undoTimeoutMs, run: () => hung.dispose() })
    },
    can,
    onStop(run) {
      assertRoom()
      return undos.defer({ timeoutMs: undoTimeoutMs, run: () => record.run(run) })
    },
    redact(secret) {
      if (secrets >= mostSecrets) throw tooMany(pluginId, `${mostSecrets} secrets`)
      const hidden = house.redactor.add(secret)
      secrets++
      return registration(() => {
        secrets--
        hidden.dispose()
      })
    },
  }
}

function tooMany(pluginId: string, most: string): HermesError<'value.invalid'> {
  const message = `Plugin ${pluginId} has ${most}, as many as one plugin may have. Dispose those that it does not need any more.`
  return new HermesError('value.invalid', message, { where: `plugin ${pluginId}`, issues: [`at most ${most} at once`] })
}

/** Answers with its undo: the name is free again once the platform has ended. */
function attachPlatform(platform: PlatformRegistration, owner: string, house: PluginHouse): () => Promise<void> {
  const name = platform.options.name ?? platform.platform
  const entry = house.platforms.add({ name, value: platform, owner })
  for (const secret of findSecrets(platform.options)) house.redactor.add(secret)
  const detach = house.attach(name, platform)
  return async () => {
    await detach()
    entry.dispose()
  }
}

function assertPlatform(platform: PlatformRegistration): void {
  const issues: string[] = []
  if (typeof platform.platform !== 'string' || platform.platform === '') issues.push('platform must be a name')
  if (typeof platform.options !== 'object' || platform.options === null) issues.push('options must be the parsed options')
  if (typeof platform.create !== 'function') issues.push('create must be a function')
  if (issues.length > 0)
    throw new HermesError('value.invalid', `A platform cannot be registered: ${issues.join('; ')}.`, { where: 'platform', issues })
}
