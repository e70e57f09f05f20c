// Telegram's updates come in by long polling and go out as events of hermes;
// messages of hermes come in and go out by the Bot API, each with one certain outcome.

import { defineAdapter, type AdapterFactory } from '@hermes/plugin-sdk'
import type { Bot } from 'grammy'
import { telegramOptions } from './options.js'

export { telegramOptions, type TelegramOptions } from './options.js'

declare module '@hermes/plugin-sdk' {
  interface PlatformNatives {
    telegram: Bot
  }
}

/** Makes the plugin that serves Telegram with one bot. Throws `options.invalid`. */
export const telegram: AdapterFactory<typeof telegramOptions> = defineAdapter({
  platform: 'telegram',
  options: telegramOptions,
  idPattern: /^-?[1-9]\d{0,15}$/,
  load: () => import('./adapter.js'),
  create: (options, { TelegramAdapter }) => new TelegramAdapter(options),
})
