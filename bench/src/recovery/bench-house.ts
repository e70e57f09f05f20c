import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { telegram } from '@hermes/adapter-telegram'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import type { AgentRuntime, Logger } from '@hermes/plugin-sdk'
import { startTelegramEmulator, type TelegramEmulator } from 'hermes-tests/emulators'

/** Time that the agent takes for a text that begins with `slow`, milliseconds. */
export const slowMs = 3000
/** The first wait of the bot after a 409, milliseconds: the default of 20 s would only make the bench long. */
export const firstConflictWaitMs = 500

const silence: Logger = { debug() {}, info() {}, warn() {}, error() {} }

/** A gateway and the emulator that it talks to, in this process. */
export interface BenchHouse {
  readonly telegram: TelegramEmulator
  /** Writes a text and gives the time until it is answered, milliseconds. */
  ask(chat: ReturnType<TelegramEmulator['addPrivateChat']>, text: string): Promise<number>
  stop(): Promise<void>
}

/** Starts both, with a fresh database. */
export async function startBenchHouse(): Promise<BenchHouse> {
  const emulator = await startTelegramEmulator()
  const directory = await mkdtemp(join(tmpdir(), 'hermes-bench-'))
  const gateway = createGateway({
    agent: echo,
    store: sqliteStore(join(directory, 'hermes.db')),
    logger: silence,
    limits: { messagesPerMinute: 0 },
    plugins: [
      telegram({ token: emulator.token, apiRoot: emulator.url, allowAll: true, polling: { conflictWaitsMs: [firstConflictWaitMs, 20_000] } }),
    ],
  })
  await gateway.start()
  await emulator.waitFor(() => emulator.updates.isPolled)
  return {
    telegram: emulator,
    async ask(chat, text) {
      const begun = performance.now()
      const before = emulator.answers(chat).length
      emulator.say(chat, text)
      await emulator.waitFor(() => emulator.answers(chat).length > before, { timeoutMs: 60_000 })
      return performance.now() - begun
    },
    async stop() {
      await gateway.stop()
      await emulator.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

const echo: AgentRuntime = {
  id: 'echo',
  async *run(turn) {
    const text = turn.input.flatMap((message) => message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).join('\n')
    if (text.startsWith('slow')) await sleep(slowMs)
    yield {
      type: 'message-add',
      message: { role: 'assistant', model: { provider: 'none', model: 'echo' }, finish: 'stop', parts: [{ type: 'text', text }] },
    }
  },
}
