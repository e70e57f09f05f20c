import { telegram } from '@hermes/adapter-telegram'
import { createAgent, createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { defineTool, type RunRequest } from '@hermes/plugin-sdk'
import { appendFile } from 'node:fs/promises'
import { z } from 'zod'
import { withKillPoint, type KillPoint } from './kill-point.js'
import { toolUsingModel } from './tool-using-model.js'

/** What a test tells the bot of this process, as JSON in the first argument. */
export interface BotSettings {
  readonly apiRoot: string
  readonly token: string
  readonly database: string
  /** A file that gets one line per run of a tool: the effect that must not be repeated. */
  readonly effects: string
  readonly killAt?: KillPoint | undefined
  /** What the application asks; it writes `outcome: <status> <text>` when it has that. */
  readonly run?: Pick<RunRequest, 'input' | 'key'> | undefined
}

const settings = JSON.parse(process.argv[2] ?? '') as BotSettings

const effect = (name: string, readOnly: boolean) =>
  defineTool({
    name,
    description: `Has the effect ${name}.`,
    input: z.object({}),
    readOnly,
    async run() {
      await appendFile(settings.effects, `${name}\n`)
      return `${name} done`
    },
  })

const gateway = createGateway({
  agent: createAgent({ model: toolUsingModel(), instructions: 'You are a test.', tools: [effect('write', false), effect('look', true)] }),
  store: withKillPoint(sqliteStore(settings.database), settings.killAt),
  plugins: [telegram({ token: settings.token, apiRoot: settings.apiRoot, allowAll: true, polling: { timeoutSeconds: 2 } })],
})

process.once('SIGTERM', () => void gateway.stop().then(() => process.exit(0)))
const asked = settings.run && gateway.run(settings.run)
await gateway.start()
if (asked) {
  const { status, text } = await asked.result
  console.log(`outcome: ${status} ${text}`)
}
