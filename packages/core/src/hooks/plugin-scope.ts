import {
  defineCommand,
  defineTool,
  HermesError,
  type Clock,
  type Command,
  type HostApi,
  type Logger,
  type PlatformRegistration,
  type Registration,
  type Tool,
} from '@hermes/plugin-sdk'
import { findSecrets, isolate, loggerFor, type Redactor } from '../kernel/index.js'
import type { WritableRegistry } from './registry.js'
import { createUndoStack } from './undo-stack.js'

/** One `onStop` of a plugin may take so long. */
const undoTimeoutMs = 5000

/** What the plugins of one host share. */
export interface PluginHouse {
  readonly clock: Clock
  readonly logger: Logger
  readonly redactor: Redactor
  /** By instance name. */
  readonly platforms: WritableRegistry<PlatformRegistration>
  // oxlint-disable-next-line typescript/no-explicit-any -- each tool has an input of its own
  readonly tools: WritableRegistry<Tool<any>>
  readonly commands: WritableRegistry<Command>
}

/** One plugin's stay in a house. */
export interface PluginScope {
  /** What the plugin gets to see. It refuses with `stopped` once the plugin has left. */
  readonly host: HostApi
  /** Undoes in reverse order what was registered, each step isolated. The second call answers with the first one's promise. */
  leave(): Promise<void>
}

/** Lets a plugin in. Secrets that it told stay hidden after it left: what it started may still log for a while. */
export function createPluginScope(pluginId: string, house: PluginHouse): PluginScope {
  const undos = createUndoStack()
  const logger = loggerFor(house.logger, { plugin: pluginId })
  let leaving: Promise<void> | undefined

  const assertPresent = (): void => {
    if (leaving === undefined) return
    throw new HermesError('stopped', `Plugin ${pluginId} has left its host and can register nothing more.`, { what: `plugin ${pluginId}` })
  }
  const enter = <T>(registry: WritableRegistry<T>, name: string, value: T): Registration => {
    assertPresent()
    const added = registry.add({ name, value, owner: pluginId })
    const remove = (): void => added.dispose()
    return undos.push(remove, remove)
  }
  const undoAll = async (): Promise<void> => {
    for (let undo = undos.pop(); undo; undo = undos.pop()) {
      const undone = await isolate(undo, { clock: house.clock, timeoutMs: undoTimeoutMs, what: `plugin ${pluginId}: onStop` })
      if (!undone.ok) logger.warn({ error: undone.error }, 'A plugin could not undo something when it left.')
    }
  }

  const host: HostApi = {
    pluginId,
    logger,
    clock: house.clock,
    registerPlatform(platform) {
      assertPlatform(platform)
      const added = enter(house.platforms, platform.options.name ?? platform.platform, platform)
      for (const secret of findSecrets(platform.options)) house.redactor.add(secret)
      return added
    },
    registerTool: (tool) => enter(house.tools, defineTool(tool).name, tool),
    registerCommand: (command) => enter(house.commands, defineCommand(command).name, command),
    onStop(undo) {
      assertPresent()
      return undos.push(() => undo())
    },
    redact: (secret) => house.redactor.add(secret),
  }
  return { host, leave: () => (leaving ??= undoAll()) }
}

function assertPlatform(platform: PlatformRegistration): void {
  const issues: string[] = []
  if (typeof platform.platform !== 'string' || platform.platform === '') issues.push('platform must be a name')
  if (typeof platform.options !== 'object' || platform.options === null) issues.push('options must be the parsed options')
  if (typeof platform.create !== 'function') issues.push('create must be a function')
  if (issues.length > 0)
    throw new HermesError('value.invalid', `A platform cannot be registered: ${issues.join('; ')}.`, { where: 'platform', issues })
}
