import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { telegram } from '@hermes/adapter-telegram'
import { createGateway, type Gateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'
import { createDemoAgent, secretsOf } from './demo-agent.js'
import { lineLogger } from './line-logger.js'
import type { DemoSettings } from './settings.js'

/** Real models take their time. */
const answerTimeoutMs = 60_000

/** What is said, and what the answer must show; with the offline model the answers are known. */
const conversation: readonly { readonly says: string; readonly expects: RegExp; readonly restartsBefore?: true }[] = [
  { says: 'Hello!', expects: /Hello!/ },
  { says: 'What is 19 + 23?', expects: /42/ },
  { says: '/status', expects: /messages/ },
  { says: 'What did I say first?', expects: /Hello!/, restartsBefore: true },
  { says: '/new', expects: /New conversation/ },
  { says: 'What did I say first?', expects: /first thing you say/ },
]

/**
 * Plays a conversation through the Telegram adapter, against a Telegram on this machine, with a restart in the middle. Prints it as
 * it is seen in the chat. Throws when an answer does not come, or not as expected.
 */
export async function playConversation({ model }: DemoSettings): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'hermes-demo-'))
  const emulator = await startTelegramEmulator()
  const person = emulator.addUser({ first_name: 'Ada' })
  const chat = emulator.addPrivateChat(person)
  const open = (): Gateway => openGateway(emulator, { path: join(directory, 'hermes.db'), personId: person.id, model })
  let gateway = open()
  try {
    print(`hermes demo without a terminal: a conversation over Telegram's wire, with ${model ? `the model ${model.name}` : 'an offline model'}.\n\n`)
    await gateway.start()
    // A bot that starts for the very first time drops what was written before.
    await emulator.waitFor(() => emulator.updates.isPolled)
    for (const { says, expects, restartsBefore } of conversation) {
      if (restartsBefore) {
        await gateway.stop()
        gateway = open()
        await gateway.start()
        print('  (the gateway restarts)\n')
      }
      print(`Ada: ${says}\n`)
      const answer = await ask(says, emulator, chat)
      print(`hermes: ${answer}\n`)
      if (!model && !expects.test(answer)) throw new Error(`The answer to ${JSON.stringify(says)} should show ${expects}.`)
    }
    print('\nAll of it was answered. In a terminal this command lets you chat yourself.\n')
  } finally {
    await gateway.stop()
    await emulator.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

function openGateway(
  emulator: TelegramEmulator,
  { path, personId, model }: { path: string; personId: number; model: DemoSettings['model'] },
): Gateway {
  const logger = lineLogger('warn', (line) => void process.stderr.write(line))
  return createGateway({
    agent: createDemoAgent(model, 0),
    store: sqliteStore({ path, logger }),
    plugins: [telegram({ token: emulator.token, apiRoot: emulator.url, allowFrom: [String(personId)] })],
    logger,
    secrets: secretsOf(model),
  })
}

async function ask(question: string, emulator: TelegramEmulator, chat: Parameters<TelegramEmulator['say']>[0]): Promise<string> {
  const answered = emulator.answers(chat).length
  emulator.say(chat, question)
  try {
    return await emulator.waitFor(() => emulator.answers(chat)[answered], { timeoutMs: answerTimeoutMs })
  } catch (error) {
    throw new Error(`There is no answer to ${JSON.stringify(question)} after ${answerTimeoutMs / 1000} s.`, { cause: error })
  }
}

function print(text: string): void {
  process.stdout.write(text)
}
