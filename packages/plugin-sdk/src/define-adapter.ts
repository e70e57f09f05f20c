import { z } from 'zod'
import type { Adapter } from './adapter.js'
import { definePlugin } from './define-plugin.js'
import { HermesError } from './errors.js'
import { instanceName } from './instance-name.js'
import { parseOptions } from './options.js'
import type { Plugin } from './plugin.js'
import { idListsOf, sharedOptions, type SharedOptions } from './shared-options.js'

/** What `defineAdapter` takes. */
export interface AdapterDefinition<P extends string, S extends z.ZodObject, L = unknown> {
  /** What people see: `telegram`. It is the instance name where the options give none. */
  readonly platform: P
  /** The adapter's own options; they must not take a name of the shared ones. */
  readonly options: S
  /** What ids of people and chats look like, whole: lists of ids in the options that do not are refused. Default: any immutable id. */
  readonly idPattern?: RegExp | undefined
  /**
   * Loads what `create` is to be given, each time the plugin registers; the gateway opens its store meanwhile. For an adapter on a
   * large SDK: `() => import('./adapter.js')`. A rejection, or more than 30 s, is a plugin that failed. Default: nothing.
   */
  readonly load?: (() => Promise<L>) | undefined
  /** Makes a new object for every attempt to connect. Without `load`, `loaded` is `undefined`. */
  create(options: Readonly<z.output<S>>, loaded: NoInfer<L>): Adapter<NoInfer<P>>
}

/** The factory that a platform package exports: options in, plugin out. */
export type AdapterFactory<S extends z.ZodObject> = (
  ...options: {} extends z.input<S> ? [options?: OwnOptions<S> & SharedOptions] : [options: OwnOptions<S> & SharedOptions]
) => Plugin

/** `z.object({})` takes a `Record<string, never>`, in which the shared options would have no place. */
type OwnOptions<S extends z.ZodObject> = z.input<S> extends Record<string, never> ? {} : z.input<S>

/**
 * Makes a platform's factory. Its options are the schema's and the shared ones, parsed and frozen when the factory is called;
 * the plugin that it returns has the instance name as its id. The factory throws `options.invalid`, `defineAdapter` itself `plugin.invalid`.
 */
export function defineAdapter<const P extends string, S extends z.ZodObject, L = undefined>(
  definition: AdapterDefinition<P, S, L>,
): AdapterFactory<S> {
  checkAdapter(definition)
  const { platform, idPattern } = definition
  const schema = definition.options.extend({ ...sharedOptions.shape, ...(idPattern && idListsOf(platform, idPattern)) })
  return (...[input]) => {
    const options = parseOptions(schema, input, `${platform}()`) as Readonly<z.output<S> & SharedOptions>
    return definePlugin({
      id: options.name ?? platform,
      register(host) {
        const serve = (loaded: L): void => void host.registerPlatform({ platform, options, create: () => definition.create(options, loaded) })
        return definition.load ? definition.load().then(serve) : serve(undefined as L)
      },
    })
  }
}

function checkAdapter(definition: Partial<AdapterDefinition<string, z.ZodObject>> | null | undefined): void {
  const platform = definition?.platform
  if (typeof platform !== 'string' || !instanceName.test(platform)) throw invalid(platform, 'platform', `must match ${instanceName}`)
  if (!(definition?.options instanceof z.ZodObject)) throw invalid(platform, 'options', 'must be a zod object schema')
  const taken = Object.keys(definition.options.shape).filter((key) => key in sharedOptions.shape)
  if (taken.length > 0) throw invalid(platform, 'options', `must not define ${taken.join(', ')}: the shared options of every adapter have it`)
  if (definition.idPattern !== undefined && !(definition.idPattern instanceof RegExp))
    throw invalid(platform, 'idPattern', 'must be a regular expression')
  if (definition.load !== undefined && typeof definition.load !== 'function') throw invalid(platform, 'load', 'must be a function')
  if (typeof definition.create !== 'function') throw invalid(platform, 'create', 'must be a function')
}

function invalid(platform: unknown, member: string, requirement: string): HermesError<'plugin.invalid'> {
  const pluginId = String(platform)
  return new HermesError('plugin.invalid', `defineAdapter() cannot make the adapter ${pluginId}: ${member} ${requirement}.`, { pluginId, member })
}
