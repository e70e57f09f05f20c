import { definePlugin, type AgentRuntime, type Logger, type Plugin } from '@hermes/plugin-sdk'
import type { PluginHealth, PluginHost } from '../hooks/index.js'
import { redactError, type Redactor } from '../kernel/index.js'

/** Loads the plugins of the options: one that cannot be loaded is a line of the log and a state in `health()`, never a failed start. */
export interface PluginLoader {
  /** Never rejects. */
  load(plugin: Plugin): Promise<void>
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
  return {
    refused,
    async load(plugin) {
      try {
        await plugins.add(plugin)
      } catch (error) {
        if (signal.aborted) return
        logger.error({ plugin: plugin.id, error }, 'A plugin could not be loaded; the others go on.')
        const isShown = plugins.plugins().some(({ id, state }) => id === plugin.id && state === 'failed')
        if (!isShown) refused.push({ id: plugin.id, state: 'failed', reason: redactError(error, redactor.redact).message })
      }
    },
  }
}

/** The agent as a plugin: its tools stand beside those of others, under the same rules. */
export function agentPlugin(agent: AgentRuntime): Plugin {
  return definePlugin({
    id: 'agent',
    register(host) {
      for (const tool of agent.tools ?? []) host.registerTool(tool)
      host.onStop(() => agent.dispose?.())
    },
  })
}
