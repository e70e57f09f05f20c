import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BotProcess } from '../bot-process.js'
import { openCommitProbe } from '../commit-cost.js'
import { median, percentile } from '../statistics.js'
import { ChatLoad } from './chat-load.js'

/** What one bot showed in one round. */
export interface EchoFigures {
  readonly firstPollMs: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly perSecond: number
  readonly cpuMsPerMessage: number
  readonly peakRssMb: number
  /** Commits of the durable store for a message that comes alone. */
  readonly commitsPerMessage: number
  /** Commands of such a message that had to be on disk before they were answered. */
  readonly durablePerMessage: number
  /** A FULL commit by raw better-sqlite3, timed between those messages; the median. */
  readonly fullCommitMs: number
  /** CPU of the emulator's process per message at full load; where it nears the time per message, the emulator is the bound. */
  readonly emulatorCpuMsPerMessage: number
}

const chatCount = 200
const warmUpRounds = 10
const countedRounds = 40
const saturation = { warmUpMs: 2_000, windowMs: 4_000 }

/** Starts one bot afresh and measures it: its start, messages that come alone, then as many as it can take. */
export async function runEchoRound(program: string, more: { readonly plugins?: number } = {}): Promise<EchoFigures> {
  const directory = await mkdtemp(join(tmpdir(), 'hermes-bench-'))
  const load = await ChatLoad.start(chatCount)
  const begun = performance.now()
  const bot = new BotProcess(program, { apiRoot: load.telegram.url, token: load.telegram.token, directory, plugins: more.plugins ?? 0 })
  try {
    await load.firstPoll()
    const firstPollMs = performance.now() - begun
    return { firstPollMs, ...(await measureAlone(load, bot)), ...(await measureSaturated(load, bot)) }
  } finally {
    await bot.stop()
    await load.telegram.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

async function measureAlone(
  load: ChatLoad,
  bot: BotProcess,
): Promise<Pick<EchoFigures, 'p50Ms' | 'p99Ms' | 'commitsPerMessage' | 'durablePerMessage' | 'fullCommitMs'>> {
  const probe = await openCommitProbe()
  const commits: number[] = []
  await load.oneByOne(warmUpRounds)
  const before = await bot.usage()
  const times = await load.oneByOne(countedRounds, () => void commits.push(probe.commit()))
  const after = await bot.usage()
  await probe.close()
  return {
    p50Ms: percentile(times, 0.5),
    p99Ms: percentile(times, 0.99),
    fullCommitMs: median(commits),
    commitsPerMessage: (after.store.commits - before.store.commits) / times.length,
    durablePerMessage: (after.store.durableCommands - before.store.durableCommands) / times.length,
  }
}

type SaturatedFigures = Pick<EchoFigures, 'perSecond' | 'cpuMsPerMessage' | 'peakRssMb' | 'emulatorCpuMsPerMessage'>

async function measureSaturated(load: ChatLoad, bot: BotProcess): Promise<SaturatedFigures> {
  const { answered, ms, probes } = await load.saturate(saturation, async () => ({ bot: await bot.usage(), emulator: process.cpuUsage() }))
  const [before, after] = probes
  const emulatorMs = (after.emulator.user + after.emulator.system - before.emulator.user - before.emulator.system) / 1000
  return {
    perSecond: (answered / ms) * 1000,
    cpuMsPerMessage: (after.bot.cpuMs - before.bot.cpuMs) / answered,
    peakRssMb: after.bot.peakRssBytes / 2 ** 20,
    emulatorCpuMsPerMessage: emulatorMs / answered,
  }
}
