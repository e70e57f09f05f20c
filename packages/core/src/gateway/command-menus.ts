import type { Adapter, Clock, CommandSpec, Logger } from '@hermes/plugin-sdk'
import { composeMenu, type MenuCommand } from '../commands/index.js'
import { isolate } from '../kernel/index.js'

/** Publishing may take so long: menus are a convenience, and platforms limit how often they change. */
const publishTimeoutMs = 60_000

/** What the menus need of the house. */
export interface MenuPorts {
  readonly clock: Clock
  readonly logger: Logger
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
  /** Every command there is, in order. */
  commands(): readonly MenuCommand[]
  /** The adapter of an instance, while it is connected. */
  adapter(name: string): Adapter | undefined
}

/** Keeps the platforms' own command menus as the commands are. */
export interface CommandMenus {
  /** What this adapter's menu is to show. */
  of(adapter: Adapter): readonly CommandSpec[]
  /** Publishes the menu of an instance that is connected. Never rejects. */
  connected(name: string): Promise<void>
  /** Commands came or went: publishes what instances that connected before are to show now. */
  changed(): void
}

/** Makes the menus. One publication is under way per instance; changes meanwhile are published together behind it. */
export function createCommandMenus(ports: MenuPorts): CommandMenus {
  const instances = new Map<string, { isStale: boolean; running?: Promise<void> | undefined }>()
  const of = (adapter: Adapter): readonly CommandSpec[] => {
    if (!adapter.commandMenu) return []
    return composeMenu(ports.commands(), adapter.commandMenu).commands
  }
  const refresh = (name: string): Promise<void> => {
    const instance = instances.get(name) ?? { isStale: false }
    instances.set(name, instance)
    instance.isStale = true
    instance.running ??= (async () => {
      // Commands that a plugin registers one after another are one change.
      await Promise.resolve()
      while (instance.isStale && !ports.signal.aborted) {
        instance.isStale = false
        await publish(name, ports)
      }
      instance.running = undefined
    })()
    return instance.running
  }
  return {
    of,
    connected: refresh,
    changed() {
      if (!ports.signal.aborted) for (const name of instances.keys()) void refresh(name)
    },
  }
}

async function publish(name: string, ports: MenuPorts): Promise<void> {
  const adapter = ports.adapter(name)
  if (!adapter?.publishCommands || !adapter.commandMenu) return
  const { commands, hidden } = composeMenu(ports.commands(), adapter.commandMenu)
  const { clock, logger, signal } = ports
  const limits = { clock, timeoutMs: publishTimeoutMs, what: `Adapter ${name}: publishCommands`, signal }
  const published = await isolate(async (over) => adapter.publishCommands?.(commands, AbortSignal.any([signal, over])), limits)
  if (published.ok) logger.debug({ adapter: name, shown: commands.length, hidden }, 'The command menu is published.')
  else if (!signal.aborted) logger.warn({ adapter: name, error: published.error }, 'The command menu could not be published; typed commands work.')
}
