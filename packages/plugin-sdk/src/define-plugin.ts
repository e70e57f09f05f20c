import { HermesError } from './errors.js'
import type { Plugin, PluginDefinition } from './plugin.js'

const idPattern = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** Makes a plugin. Throws `plugin.invalid` for an id or a `register` of a wrong shape. */
export function definePlugin(definition: PluginDefinition): Plugin {
  const pluginId = String(definition?.id)
  if (!idPattern.test(pluginId)) {
    throw new HermesError('plugin.invalid', `A plugin id must match ${idPattern}, and ${JSON.stringify(pluginId)} does not.`, {
      pluginId,
      member: 'id',
    })
  }
  if (typeof definition.register !== 'function') {
    throw new HermesError('plugin.invalid', `Plugin ${pluginId} needs a function register(host).`, { pluginId, member: 'register' })
  }
  return Object.freeze({ ...definition, contract: 1 as const })
}
