import { echoTable, latencyNote } from './echo-report.js'
import { runEchoRound, type EchoFigures } from './echo-round.js'

/** Plugins that listen in the bench of their overhead. */
const pluginCount = 10

/** Echo by hermes with the durable store against raw grammY with its runner, in turn, so that both meet the same machine. */
export async function runEchoBench(rounds: number): Promise<string> {
  const [baseline, subject] = await inTurn(rounds, [() => runEchoRound('raw-bot'), () => runEchoRound('hermes-bot')])
  const results = { names: ['grammY + runner', 'hermes'], baseline, subject } as const
  return `${echoTable(results, { withGoals: true })}\n\n${latencyNote(results)}`
}

/** Echo by hermes with plugins on every hook of its way against hermes without. */
export async function runPluginBench(rounds: number): Promise<string> {
  const [baseline, subject] = await inTurn(rounds, [() => runEchoRound('hermes-bot'), () => runEchoRound('hermes-bot', { plugins: pluginCount })])
  return echoTable({ names: ['hermes', `with ${pluginCount} plugins`], baseline, subject }, { withGoals: false })
}

type Round = () => Promise<EchoFigures>

async function inTurn(rounds: number, [first, second]: readonly [Round, Round]): Promise<readonly [EchoFigures[], EchoFigures[]]> {
  const results: readonly [EchoFigures[], EchoFigures[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    results[0].push(await first())
    results[1].push(await second())
  }
  return results
}
