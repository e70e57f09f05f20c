import type { Interface } from 'node:readline'
import { defineAdapter, type AdapterFactory } from '@hermes/plugin-sdk'
import { TerminalAdapter } from './terminal-adapter.js'
import { terminalOptions } from './terminal-options.js'

declare module '@hermes/plugin-sdk' {
  interface PlatformNatives {
    terminal: Interface
  }
}

/** Makes the plugin that serves a terminal. Throws `options.invalid`. */
export const terminal: AdapterFactory<typeof terminalOptions> = defineAdapter({
  platform: 'terminal',
  options: terminalOptions,
  create: (options) => new TerminalAdapter(options),
})
