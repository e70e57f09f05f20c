import { describeShape } from './describe-shape.js'
import { HermesError } from './errors.js'
import { instanceName } from './instance-name.js'
import type { HostApi, Plugin, PluginDefinition } from './plugin.js'

/** Makes a plugin. Throws `plugin.invalid` for an id or a `register` of a wrong shape. Its id is read once. */
export function definePlugin(definition: PluginDefinition): Plugin {
  if (typeof definition !== 'object' || definition === null) {
    throw new HermesError('plugin.invalid', `definePlugin() needs { id, register }, and got ${describeShape(definition)}.`, {
      pluginId: '(none)',
      member: 'definition',
    })
  }
  const { id } = definition
  if (typeof id !== 'string' || !instanceName.test(id)) {
    throw new HermesError('plugin.invalid', `A plugin id must match ${instanceName}, and ${describeShape(id)} does not.`, {
      pluginId: String(id),
      member: 'id',
    })
  }
  if (typeof definition.register !== 'function') {
    throw new HermesError('plugin.invalid', `Plugin ${id} needs a function register(host).`, {
      pluginId: id,
      member: 'register',
    })
  }
  return Object.freeze({ id, register: (host: HostApi) => definition.register(host), contract: 1 as const })
}
