import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median } from '../statistics.js'
import { textTable } from '../text-table.js'

/** What the process of the chats tells: bytes behind a collection of garbage. */
export interface ChatMemory {
  readonly chats: number
  readonly heapBytes: number
  readonly rssBytes: number
}

/** What a chat costs in memory that was answered once and says nothing more. Its conversation is in the store. */
export async function runMemoryBench(rounds: number): Promise<string> {
  const runs: (readonly ChatMemory[])[] = []
  for (let round = 0; round < rounds; round += 1) runs.push(await measure())
  const at = (index: number, key: 'chats' | 'heapBytes' | 'rssBytes'): number => median(runs.map((run) => run[index]?.[key] ?? Number.NaN))
  const megabytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1)
  const rows = (runs[0] ?? []).map(({ chats }, index) => {
    const before = index === 0 ? undefined : at(index - 1, 'heapBytes')
    const grown = before === undefined ? '' : String(Math.round((at(index, 'heapBytes') - before) / (chats - at(index - 1, 'chats'))))
    return [String(chats), megabytes(at(index, 'heapBytes')), megabytes(at(index, 'rssBytes')), grown]
  })
  return textTable([['idle chats', 'heap, MB', 'RSS, MB', 'heap bytes per further chat'], ...rows])
}

async function measure(): Promise<readonly ChatMemory[]> {
  const child = fork(fileURLToPath(new URL('./bots/idle-chats.js', import.meta.url)), {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const [memory] = (await once(child, 'message', { signal: AbortSignal.timeout(300_000) })) as [readonly ChatMemory[]]
  await exited
  return memory
}
