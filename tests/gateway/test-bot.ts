import { telegram } from '@hermes/adapter-telegram'
import { createGateway, type Gateway, type GatewayOptions } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import type { AgentRuntime, Logger, Plugin } from '@hermes/plugin-sdk'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { startTelegramEmulator, type TelegramEmulator } from '../emulators/index.js'

/** One line of the log, as text. */
export type LogLine = string

/** A whole house on loopback: the real grammY, a real SQLite file, and people by script. */
export interface TestBot {
  readonly telegram: TelegramEmulator
  readonly directory: string
  readonly log: readonly LogLine[]
  readonly gateway: Gateway
  /** Another process's worth: the same file, a new gateway. */
  restart(change?: BotChange): Promise<Gateway>
  stop(): Promise<void>
}

/** What a test wants otherwise. */
export interface BotChange {
  readonly agent?: AgentRuntime
  readonly plugins?: readonly Plugin[]
  readonly telegramOptions?: Partial<Parameters<typeof telegram>[0]>
  readonly options?: Partial<GatewayOptions>
}

/** Starts it. Everybody may speak. */
export async function startTestBot(agent: AgentRuntime, change: BotChange = {}): Promise<TestBot> {
  const emulator = await startTelegramEmulator()
  const directory = await mkdtemp(join(tmpdir(), 'hermes-bot-'))
  const log: LogLine[] = []
  const write = (fields: object, message: string): void => void log.push(`${message} ${JSON.stringify(fields)}`)
  const logger: Logger = { debug: write, info: write, warn: write, error: write }
  const build = ({ plugins = [], telegramOptions, options, agent: other }: BotChange): Gateway =>
    createGateway({
      agent: other ?? agent,
      store: sqliteStore(join(directory, 'hermes.db')),
      plugins: [
        telegram({ token: emulator.token, apiRoot: emulator.url, allowAll: true, polling: { timeoutSeconds: 2 }, ...telegramOptions }),
        ...plugins,
      ],
      logger,
      ...options,
    })
  let gateway = build(change)
  await gateway.start()
  // The very first connection drops what was posted before it.
  await expect.poll(() => emulator.updates.isPolled || gateway.health().adapters[0]?.state === 'fatal', { interval: 5, timeout: 10_000 }).toBe(true)
  return {
    telegram: emulator,
    directory,
    log,
    get gateway() {
      return gateway
    },
    async restart(next = change) {
      await gateway.stop()
      gateway = build(next)
      await gateway.start()
      return gateway
    },
    async stop() {
      await gateway.stop()
      await emulator.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
