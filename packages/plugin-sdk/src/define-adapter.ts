import type { z } from 'zod'
import type { Adapter } from './adapter.js'
import { parseOptions } from './options.js'
import { definePlugin } from './define-plugin.js'
import type { Plugin } from './plugin.js'
import { sharedOptions, type SharedOptions } from './shared-options.js'

/** The factory that a platform package exports: options in, plugin out. */
export type AdapterFactory<S extends z.ZodObject> = (
  ...options: {} extends z.input<S> ? [options?: z.input<S> & SharedOptions] : [options: z.input<S> & SharedOptions]
) => Plugin

/**
 * Makes a platform's factory. Its options are the schema's and the shared ones, parsed and frozen when the factory is called;
 * the plugin that it returns has the instance name as its id. The factory throws `options.invalid`.
 */
export function defineAdapter<const P extends string, S extends z.ZodObject>(definition: {
  readonly platform: P
  readonly options: S
  create(options: Readonly<z.output<S>>): Adapter<NoInfer<P>>
}): AdapterFactory<S> {
  const schema = definition.options.extend(sharedOptions.shape)
  return (...[input]) => {
    const options = parseOptions(schema, input, `${definition.platform}()`) as Readonly<z.output<S> & SharedOptions>
    return definePlugin({
      id: options.name ?? definition.platform,
      register(host) {
        host.registerPlatform({ platform: definition.platform, options, create: () => definition.create(options) })
      },
    })
  }
}
