import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { telegram } from '@hermes/adapter-telegram'
import { createGateway, type Gateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { createDemoAgent, secretsOf } from './demo-agent.js'
import { awaitEnding, type Ending } from './ending.js'
import { lineLogger } from './line-logger.js'
import type { DemoSettings, TelegramBot } from './settings.js'

const healthCheckMs = 250

/** Serves Telegram until Ctrl-C. Throws when the bot cannot work at all, such as with a wrong token. */
export async function serveTelegram(bot: TelegramBot, { directory, model }: DemoSettings): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const logger = lineLogger('info', (line) => void process.stderr.write(line))
  const gateway = createGateway({
    agent: createDemoAgent(model),
    store: sqliteStore({ path: join(directory, 'hermes.db'), logger }),
    plugins: [telegram({ token: bot.token, apiRoot: bot.apiRoot, allowFrom: bot.allowFrom })],
    logger,
    secrets: secretsOf(model),
  })
  const ending = awaitEnding()
  try {
    await gateway.start()
    process.stdout.write(`hermes serves Telegram with ${model ? `the model ${model.name}` : 'an offline model'}. ${audience(bot.allowFrom)}\n`)
    await untilEnded(gateway, ending)
  } finally {
    await gateway.stop()
  }
}

function audience(allowFrom: readonly string[]): string {
  if (allowFrom.length > 0) return `It answers ${allowFrom.join(', ')}.`
  return 'It answers nobody yet: set HERMES_ALLOW_FROM to the numeric Telegram ids that may speak (@userinfobot tells yours).'
}

/** Ends with the demo, or with an adapter that gave up. */
async function untilEnded(gateway: Gateway, ending: Ending): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const failed = new Promise<never>((_, reject) => {
    timer = setInterval(() => {
      const broken = gateway.health().adapters.find((adapter) => adapter.state === 'fatal')
      if (broken) reject(new Error(`Telegram cannot be served: ${broken.reason}`))
    }, healthCheckMs)
  })
  try {
    await Promise.race([failed, ending.reached])
  } finally {
    clearInterval(timer)
  }
}
