import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startTelegramEmulator, type TelegramEmulator } from '../emulators/index.js'
import { BotRunner } from './bot-runner.js'
import type { KillPoint } from './kill-point.js'

let telegram: TelegramEmulator
let directory: string
const bots: BotRunner[] = []

beforeEach(async () => {
  telegram = await startTelegramEmulator()
  directory = await mkdtemp(join(tmpdir(), 'hermes-runs-'))
})

afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.kill()
  await telegram.stop()
  await rm(directory, { recursive: true, force: true })
})

function ask(input: string, killAt?: KillPoint): BotRunner {
  const { url: apiRoot, token } = telegram
  const settings = { apiRoot, token, database: join(directory, 'hermes.db'), effects: join(directory, 'effects') }
  const bot = new BotRunner({ ...settings, killAt, run: { input, key: 'the same' } })
  bots.push(bot)
  return bot
}

/** Asks in a process that dies at the point, asks again in another one, and tells what that heard and which effects there were. */
async function survive(input: string, killAt: KillPoint) {
  expect(await ask(input, killAt).ended()).toBe('SIGKILL')
  const next = ask(input)
  const outcome = await telegram.waitFor(() => /^outcome: (.*)$/m.exec(next.output)?.[1], { timeoutMs: 30_000 })
  const effects = await readFile(join(directory, 'effects'), 'utf8').catch(() => '')
  return { outcome, effects: effects.split('\n').filter(Boolean) }
}

describe('a run with a key, after kill -9', () => {
  it.each<[string, KillPoint]>([
    ['before it was stored', { moment: 'before', command: 'run.add' }],
    ['when it was stored', { moment: 'after', command: 'run.add' }],
    ['when its turn was started', { moment: 'after', command: 'turn.claim' }],
    ['when the result of its tool was stored', { moment: 'after', command: 'turn.commit', containing: '"role":"tool"' }],
    ['when the model had answered', { moment: 'before', command: 'turn.end' }],
    ['when it had ended', { moment: 'after', command: 'turn.end' }],
  ])('%s, is answered, and does once what it does', async (_where, killAt) => {
    expect(await survive('write', killAt)).toEqual({ outcome: 'completed answer to write', effects: ['write'] })
  })

  it('when the intent of its tool was stored, is interrupted, and does not do it', async () => {
    const killAt = { moment: 'after', command: 'turn.commit', containing: '"kind":"intent"' } as const
    expect(await survive('write', killAt)).toEqual({ outcome: 'interrupted ', effects: [] })
  })
})
