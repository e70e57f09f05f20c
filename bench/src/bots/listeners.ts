import { definePlugin, type Plugin } from '@hermes/plugin-sdk'

let heard = 0

/** So many plugins, each with a tap on every hook that an echo passes, and a handler on the bot. None of them goes async. */
export function listeners(count: number): readonly Plugin[] {
  return Array.from({ length: count }, (_, index) =>
    definePlugin({
      id: `listener-${index}`,
      register(host) {
        host.on('preDispatch', ({ event }) => void (heard += event.id.length))
        host.on('turnStart', ({ text }) => void (heard += text.length))
        host.on('transformAnswer', ({ text }) => void (heard += text.length))
        host.on('turnEnd', ({ durationMs }) => void (heard += durationMs))
        host.on('deliveryOutcome', ({ key }) => void (heard += key.length))
        host.registerPlatformHandler('telegram', (bot) => {
          bot.on('message:text', (_context, next) => next())
        })
      },
    }),
  )
}
