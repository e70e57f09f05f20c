import { definePlugin, type AgentRuntime, type Logger, type Plugin } from '@hermes/plugin-sdk'
import { granted, loadingOrder, type PluginEntry, type PluginHealth, type PluginHost } from '../hooks/index.js'
import { redactError, type Redactor } from '../kernel/index.js'

/** Loads the plugins of the options: one that cannot be loaded is a line of the log and a state in `health()`, never a failed start. */
export interface PluginLoader {
  /** One after another, each behind those that it requires. Never rejects. */
  load(entries: readonly PluginEntry[]): Promise<void>
  /** Plugins that the host did not let in, such as a second one of the same name. */
  readonly refused: readonly PluginHealth[]
}

/** Makes the loader; what the end of the house interrupts is no failure. */
export function createPluginLoader(ports: {
  readonly plugins: PluginHost
  readonly logger: Logger
  readonly redactor: Pick<Redactor, 'redact'>
  readonly signal: AbortSignal
}): PluginLoader {
  const { plugins, logger, redactor, signal } = ports
  const refused: PluginHealth[] = []
  const loadOne = async (entry: PluginEntry): Promise<void> => {
    try {
      await plugins.add(entry)
    } catch (error) {
      if (signal.aborted) return
      const { id } = granted(entry).plugin
      logger.error({ plugin: id, error }, 'A plugin could not be loaded; the others go on.')
      const isShown = plugins.plugins().some((shown) => shown.id === id && shown.state === 'failed')
      if (!isShown) refused.push({ id, state: 'failed', reason: redactError(error, redactor.redact).message })
    }
  }
  return {
    refused,
    async load(entries) {
      const order = loadingOrder(entries)
      for (const circle of order.circles) {
        logger.warn({ plugins: circle }, 'Plugins require each other; the first of them comes in without the others.')
      }
      for (const entry of order.entries) if (!signal.aborted) await loadOne(entry)
    },
  }
}

/** The agent as a plugin, if it brings something: its tools stand beside those of others, under the same rules. */
export function agentPlugins(agent: AgentRuntime): readonly Plugin[] {
  const { tools = [] } = agent
  if (tools.length === 0 && agent.dispose === undefined) return []
  const plugin = definePlugin({
    id: 'agent',
    register(host) {
      for (const tool of tools) host.registerTool(tool)
      host.onStop(() => agent.dispose?.())
    },
  })
  return [plugin]
}
