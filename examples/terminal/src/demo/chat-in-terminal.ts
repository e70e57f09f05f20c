import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { terminal } from '../adapter/index.js'
import { createDemoAgent, secretsOf } from './demo-agent.js'
import { awaitEnding } from './ending.js'
import { lineLogger } from './line-logger.js'
import type { DemoSettings } from './settings.js'

/** The session of a direct chat, as `/status` shows it. */
const sessionKey = 'agent:main:terminal:dm:local'

/** Lets a person chat until Ctrl-C or Ctrl-D. What was said stays in the database for the next time. */
export async function chatInTerminal(settings: DemoSettings): Promise<void> {
  const { directory, model } = settings
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const path = join(directory, 'hermes.db')
  const log = createWriteStream(join(directory, 'hermes.log'), { flags: 'a', mode: 0o600 })
  // A log that cannot be written is no reason to end a conversation.
  log.on('error', () => {})
  const logger = lineLogger('info', (line) => void log.write(line))
  const store = sqliteStore({ path, logger })
  const gateway = createGateway({ agent: createDemoAgent(model), store, logger, secrets: secretsOf(model) })
  const ending = awaitEnding()
  try {
    await gateway.start()
    const known = await store.execute('session.get', { key: sessionKey })
    process.stdout.write(greeting(settings, known?.lane.messages ?? 0))
    await gateway.use(terminal({ allowFrom: ['local'], onEnd: ending.end }))
    await ending.reached
    process.stdout.write('\nBye. Everything said is kept.\n')
  } finally {
    await gateway.stop()
    log.end()
  }
}

function greeting({ model, directory }: DemoSettings, remembered: number): string {
  const memory = remembered === 0 ? 'This is a new conversation.' : `I remember ${remembered} messages of our conversation.`
  const lines = [`hermes demo, with ${model ? `the model ${model.name}` : 'an offline model'}. ${memory}`, `Data and log: ${directory}`]
  if (!model) lines.push('Try: what time is it · what is 19 + 23 · what did I say first · a long answer, please')
  lines.push('Commands: /help /status /new /stop. Ctrl-C ends.')
  return `${lines.join('\n')}\n\n`
}
