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
import { findSecrets, isolate, loggerFor, type Redactor } from '../kernel/index.js'
import type { GrantedPlugin } from './grants.js'
import type { HookBus } from './hook-bus.js'
import type { PlatformHandlers } from './platform-handlers.js'
import type { Registry } from './registry.js'
import { createUndoStack, type UndoStack } from './undo-stack.js'

/** One `onStop` of a plugin may take so long. */
const undoTimeoutMs = 5000
/** The undo functions of a platform handler run beside each other and have 5 s each; this one is the net below them. */
const unwireTimeoutMs = 6000
/** What one plugin may have registered at once: more is a loop that went wrong. */
const mostRegistrations = 1000
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
  readonly services: (plugin: ServedPlugin) => HostServices
  /** Begins to serve a platform; the result ends that. */
  attach(name: string, platform: PlatformRegistration): () => Awaitable<void>
}

/** One plugin's stay in a house. */
export interface PluginScope {
  /** What the plugin gets to see. It refuses with `stopped` once the plugin has left. */
  readonly host: HostApi
  /** Undoes in reverse order what was registered, each step isolated. The second call answers with the first one's promise. */
  leave(): Promise<void>
}

/** Lets a plugin in. Secrets that it told stay hidden after it left: what it started may still log for a while. */
export function createPluginScope({ plugin, granted }: GrantedPlugin, house: PluginHouse): PluginScope {
  const pluginId = plugin.id
  const logger = loggerFor(house.logger, { plugin: pluginId })
  const undos = createUndoStack(async (step) => {
    const undone = await isolate(() => step.run(), { clock: house.clock, timeoutMs: step.timeoutMs, what: `plugin ${pluginId}: onStop` })
    if (!undone.ok) logger.warn({ error: undone.error }, 'A plugin could not undo something when it left.')
  })
  let leaving: Promise<void> | undefined
  const assertPresent = (): void => {
    if (leaving === undefined) return
    throw new HermesError('stopped', `Plugin ${pluginId} has left its host and can register nothing more.`, { what: `plugin ${pluginId}` })
  }
  const assertRoom = (): void => {
    assertPresent()
    if (undos.size < mostRegistrations) return
    const issues = [`at most ${mostRegistrations} registrations at once`]
    const message = `Plugin ${pluginId} has ${mostRegistrations} registrations, as many as one plugin may have. Dispose those that it does not need any more.`
    throw new HermesError('value.invalid', message, { where: `plugin ${pluginId}`, issues })
  }
  const can: HostApi['can'] = (grant) => granted.includes(grant)
  const stay = new AbortController()
  const services = house.services({ id: pluginId, can, leaving: stay.signal })
  const leave = async (): Promise<void> => {
    stay.abort()
    await undos.unwind()
    house.hooks.forget(pluginId)
  }
  return {
    host: createHostApi({ pluginId, can, house, services, logger, undos, assertPresent, assertRoom }),
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
  readonly assertPresent: () => void
  /** Also refuses with `value.invalid` when the plugin has registered too much. */
  readonly assertRoom: () => void
}

function createHostApi({ pluginId, can, house, services, logger, undos, assertPresent, assertRoom }: ScopeParts): HostApi {
  const enter = <T>(registry: Registry<T>, entered: { name: string; value: T; replaces: boolean }): Registration => {
    assertRoom()
    const { name, value, replaces } = entered
    const entry = registry.add({ name, value, owner: pluginId }, { replaces })
    return undos.push({ timeoutMs: undoTimeoutMs, run: () => entry.dispose() })
  }
  const wireNatives: HostApi['registerPlatformHandler'] = (platform, wire) => {
    assertRoom()
    const handler = house.natives.add(pluginId, platform, wire as NativeHandler<string>)
    return undos.push({ timeoutMs: unwireTimeoutMs, run: () => handler.remove() })
  }
  return {
    pluginId,
    logger,
    clock: house.clock,
    storage: services.storage,
    async inject(message) {
      assertPresent()
      return services.inject(message)
    },
    async send(chat, message) {
      assertPresent()
      return services.send(chat, message)
    },
    run(request) {
      assertPresent()
      return services.run(request)
    },
    registerPlatform(platform) {
      assertPlatform(platform)
      assertRoom()
      return undos.push({ timeoutMs: detachTimeoutMs, run: attachPlatform(platform, pluginId, house) })
    },
    registerPlatformHandler: wireNatives,
    registerTelegramHandler: (wire) => wireNatives('telegram', wire),
    registerTool: (tool) => enter(house.tools, { name: defineTool(tool).name, value: tool, replaces: can('tools.override') }),
    registerCommand: (command) => enter(house.commands, { name: defineCommand(command).name, value: command, replaces: false }),
    on(name, tap, options) {
      assertRoom()
      const hung = house.hooks.on(pluginId, name, { tap, options })
      return undos.push({ timeoutMs: undoTimeoutMs, run: () => hung.dispose() })
    },
    can,
    onStop(run) {
      assertRoom()
      return undos.defer({ timeoutMs: undoTimeoutMs, run: () => run() })
    },
    redact: (secret) => house.redactor.add(secret),
  }
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
