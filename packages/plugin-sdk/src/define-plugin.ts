import { describeShape } from './describe-shape.js'
import { HermesError } from './errors.js'
import { allGrants, isGrant } from './grants.js'
import { instanceName } from './instance-name.js'
import type { HostApi, Plugin, PluginDefinition } from './plugin.js'

/** Makes a plugin. Throws `plugin.invalid` for a member of a wrong shape. Its id, `requires` and `grants` are read once. */
export function definePlugin(definition: PluginDefinition): Plugin {
  if (typeof definition !== 'object' || definition === null) {
    throw new HermesError('plugin.invalid', `definePlugin() needs { id, register }, and got ${describeShape(definition)}.`, {
      pluginId: '(none)',
      member: 'definition',
    })
  }
  const { id, requires, grants } = definition
  if (!isPluginId(id)) {
    throw new HermesError('plugin.invalid', `A plugin id must match ${instanceName}, and ${describeShape(id)} does not.`, {
      pluginId: String(id),
      member: 'id',
    })
  }
  if (!isListOf(requires, isPluginId)) throw invalid(id, 'requires', 'needs ids of other plugins in `requires`: a list of strings')
  if (!isListOf(grants, isGrant)) throw invalid(id, 'grants', `can ask in \`grants\` for a list of: ${allGrants.join(', ')}`)
  if (typeof definition.register !== 'function') throw invalid(id, 'register', 'needs a function register(host)')
  return Object.freeze({
    id,
    ...(requires && { requires: Object.freeze([...requires]) }),
    ...(grants && { grants: Object.freeze([...grants]) }),
    register: (host: HostApi) => definition.register(host),
    contract: 1 as const,
  })
}

function isPluginId(value: unknown): value is string {
  return typeof value === 'string' && instanceName.test(value)
}

function isListOf(value: unknown, isMember: (member: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every((member) => isMember(member)))
}

function invalid(pluginId: string, member: string, requirement: string): HermesError<'plugin.invalid'> {
  return new HermesError('plugin.invalid', `Plugin ${pluginId} ${requirement}.`, { pluginId, member })
}
