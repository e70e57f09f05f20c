import { telegram } from '@hermes/adapter-telegram'
import type { NativeOf, Plugin } from '@hermes/plugin-sdk'

export const plugin: Plugin = telegram({ token: '1:token', allowFrom: ['1'] })

/** The package makes the native object of its platform known. */
export function tellName(bot: NativeOf<'telegram'>): string {
  return bot.botInfo.username
}
