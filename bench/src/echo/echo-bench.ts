import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureCommit } from '../commit-cost.js'
import { echoReport } from './echo-report.js'
import { runEchoRound } from './echo-round.js'
import type { EchoFigures } from './echo-round.js'

/** Echo by hermes with the durable store against raw grammY with its runner, in turn, so that both meet the same machine. */
export async function runEchoBench(rounds: number): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hermes-bench-'))
  const results = { raw: [] as EchoFigures[], hermes: [] as EchoFigures[], fullCommitsMs: [] as number[], normalCommitsMs: [] as number[] }
  try {
    for (let round = 0; round < rounds; round += 1) {
      results.fullCommitsMs.push(measureCommit(directory, 'FULL'))
      results.normalCommitsMs.push(measureCommit(directory, 'NORMAL'))
      results.raw.push(await runEchoRound('raw-bot'))
      results.hermes.push(await runEchoRound('hermes-bot'))
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  return echoReport(results)
}
