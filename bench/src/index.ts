// In: the name of a bench, or none for all, and `--rounds`.
// Out: a table of figures and ratios per bench, on standard output.
import { parseArgs } from 'node:util'
import { runEchoBench, runPluginBench } from './echo/echo-bench.js'
import { runHookBench } from './hooks/hook-bench.js'
import { runMemoryBench } from './memory/memory-bench.js'
import { runRecoveryBench } from './recovery/recovery-bench.js'
import { runStoreBench } from './store/store-bench.js'

const benches: Readonly<Record<string, (rounds: number) => Promise<string>>> = {
  echo: runEchoBench,
  recovery: runRecoveryBench,
  plugins: runPluginBench,
  store: runStoreBench,
  memory: runMemoryBench,
  hooks: runHookBench,
}

const { values, positionals } = parseArgs({ allowPositionals: true, options: { rounds: { type: 'string', default: '3' } } })
const rounds = Number(values.rounds)
const names = positionals.length > 0 ? positionals : Object.keys(benches)
const unknown = names.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0 || !Number.isInteger(rounds) || rounds < 1) {
  process.stderr.write(`usage: pnpm bench [${Object.keys(benches).join('|')}] [--rounds 3]\n`)
  process.exit(2)
}
for (const name of names) process.stdout.write(`${name}, median of ${rounds} rounds\n\n${await benches[name]?.(rounds)}\n`)
