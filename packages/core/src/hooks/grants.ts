import { HermesError, isGrant, type Grant, type Plugin } from '@hermes/plugin-sdk'

/** A plugin, and the rights that whoever composes the gateway gives it. `grant()` makes one. */
export interface GrantedPlugin {
  readonly plugin: Plugin
  readonly granted: readonly Grant[]
}

/** What a gateway takes where it takes a plugin. */
export type PluginEntry = Plugin | GrantedPlugin

/**
 * Gives a plugin rights that it asks for: an entry of `plugins`, or of `use`. Throws `value.invalid` for a right that there is not, or that
 * the plugin does not ask for: it could do nothing with it.
 */
export function grant(plugin: Plugin, grants: readonly Grant[]): GrantedPlugin {
  const issues = grants.flatMap((given) => {
    if (!isGrant(given)) return `${String(given)} is no grant`
    return plugin.grants?.includes(given) ? [] : `plugin ${plugin.id} does not ask for ${given}`
  })
  if (issues.length > 0) throw new HermesError('value.invalid', `grant() cannot give that: ${issues.join('; ')}.`, { where: 'grant()', issues })
  return Object.freeze({ plugin, granted: Object.freeze([...grants]) })
}

/** The plugin of an entry, and what it was given. */
export function granted(entry: PluginEntry): GrantedPlugin {
  return 'granted' in entry ? entry : { plugin: entry, granted: [] }
}

/** What to say of a plugin that asks for more than it was given, with the line that gives it; `undefined`: it has all that it asks for. */
export function missingGrants(entry: PluginEntry): { readonly grant: Grant; readonly message: string } | undefined {
  const { plugin, granted: given } = granted(entry)
  const [first] = (plugin.grants ?? []).filter((asked) => !given.includes(asked))
  if (first === undefined) return undefined
  const list = (plugin.grants ?? []).map((asked) => `'${asked}'`).join(', ')
  const message = `Plugin ${plugin.id} asks for more than it was given. To trust it with that, write grant(<the plugin ${plugin.id}>, [${list}]) in its place; grant comes from @hermes/core.`
  return { grant: first, message }
}
