import { median } from '../statistics.js'
import { textTable } from '../text-table.js'
import type { EchoFigures } from './echo-round.js'

/** Figures of all rounds; the commits are raw better-sqlite3 on the same disk, in milliseconds. */
export interface EchoResults {
  readonly raw: readonly EchoFigures[]
  readonly hermes: readonly EchoFigures[]
  readonly fullCommitsMs: readonly number[]
  readonly normalCommitsMs: readonly number[]
}

interface Row {
  readonly name: string
  readonly key: keyof EchoFigures
  readonly digits: number
  /** What the ratio hermes / raw is to be; none where it is only told. */
  readonly goal?: string | undefined
}

const rows: readonly Row[] = [
  { name: 'messages/s at saturation', key: 'perSecond', digits: 0, goal: '>= 0.5' },
  { name: 'p50 of a lone message, ms', key: 'p50Ms', digits: 2 },
  { name: 'p99 of a lone message, ms', key: 'p99Ms', digits: 2 },
  { name: 'CPU per message, ms', key: 'cpuMsPerMessage', digits: 3 },
  { name: 'peak RSS, MB', key: 'peakRssMb', digits: 0, goal: '<= 1.5' },
  { name: 'start to first poll, ms', key: 'firstPollMs', digits: 0, goal: '<= 1.5' },
  { name: 'emulator CPU per message, ms', key: 'emulatorCpuMsPerMessage', digits: 3 },
]

/** The report: medians over the rounds, ratios, and what of the added latency the durable commits explain. */
export function echoReport(results: EchoResults): string {
  const head = ['', 'grammY + runner', 'hermes', 'ratio', 'goal']
  return `${textTable([head, ...rows.map((row) => tableRow(row, results))])}\n\n${latencyNote(results)}`
}

function tableRow({ name, key, digits, goal = '' }: Row, { raw, hermes }: EchoResults): string[] {
  const baseline = median(raw.map((figures) => figures[key]))
  const ours = median(hermes.map((figures) => figures[key]))
  return [name, baseline.toFixed(digits), ours.toFixed(digits), (ours / baseline).toFixed(2), goal]
}

function latencyNote({ raw, hermes, fullCommitsMs, normalCommitsMs }: EchoResults): string {
  const addedMs = median(hermes.map((figures) => figures.p50Ms)) - median(raw.map((figures) => figures.p50Ms))
  const commits = median(hermes.map((figures) => figures.commitsPerMessage))
  const durable = median(hermes.map((figures) => figures.durablePerMessage))
  const fullMs = median(fullCommitsMs)
  return [
    `raw better-sqlite3 (p50): a FULL commit ${fullMs.toFixed(2)} ms, a NORMAL commit ${median(normalCommitsMs).toFixed(2)} ms`,
    `a lone message in hermes: ${commits.toFixed(1)} commits, ${durable.toFixed(1)} of them FULL; ${addedMs.toFixed(2)} ms more than raw (p50)`,
    `beyond its FULL commits: ${(addedMs - durable * fullMs).toFixed(2)} ms (goal < 2)`,
  ].join('\n')
}
