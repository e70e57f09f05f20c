import { median } from '../statistics.js'
import { textTable } from '../text-table.js'
import type { EchoFigures } from './echo-round.js'

/** Figures of all rounds of two bots. */
export interface EchoResults {
  readonly names: readonly [baseline: string, subject: string]
  readonly baseline: readonly EchoFigures[]
  readonly subject: readonly EchoFigures[]
}

interface Row {
  readonly name: string
  readonly key: keyof EchoFigures
  readonly digits: number
  /** What the ratio of hermes to grammY is to be; none where it is only told. */
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

/** The figures of both and their ratios, as medians over the rounds. */
export function echoTable({ names, baseline, subject }: EchoResults, options: { readonly withGoals: boolean }): string {
  const tableRow = ({ name, key, digits, goal = '' }: Row): string[] => {
    const before = median(baseline.map((figures) => figures[key]))
    const after = median(subject.map((figures) => figures[key]))
    return [name, before.toFixed(digits), after.toFixed(digits), (after / before).toFixed(2), options.withGoals ? goal : '']
  }
  return textTable([['', ...names, 'ratio', options.withGoals ? 'goal' : ''], ...rows.map(tableRow)])
}

/** What of the added latency the durable commits explain. */
export function latencyNote({ baseline, subject }: EchoResults): string {
  const addedMs = median(subject.map((figures) => figures.p50Ms)) - median(baseline.map((figures) => figures.p50Ms))
  const commits = median(subject.map((figures) => figures.commitsPerMessage))
  const durable = median(subject.map((figures) => figures.durablePerMessage))
  const fullMs = median(subject.map((figures) => figures.fullCommitMs))
  return [
    `raw better-sqlite3, between the lone messages (p50): a FULL commit ${fullMs.toFixed(2)} ms`,
    `a lone message in hermes: ${commits.toFixed(1)} commits, ${durable.toFixed(1)} of them FULL; ${addedMs.toFixed(2)} ms more than raw (p50)`,
    `beyond its FULL commits: ${(addedMs - durable * fullMs).toFixed(2)} ms (goal < 2)`,
  ].join('\n')
}
