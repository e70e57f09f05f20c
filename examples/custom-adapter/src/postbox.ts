import { defineAdapter, type AdapterFactory } from '@hermes/plugin-sdk'
import { postboxOptions } from './options.js'
import { PostboxAdapter } from './postbox-adapter.js'
import type { PostboxClient } from './postbox-client.js'

declare module '@hermes/plugin-sdk' {
  interface PlatformNatives {
    postbox: PostboxClient
  }
}

/** Makes the plugin that serves a postbox with one bot. Throws `options.invalid`. */
export const postbox: AdapterFactory<typeof postboxOptions> = defineAdapter({
  platform: 'postbox',
  options: postboxOptions,
  create: (options) => new PostboxAdapter(options),
})
