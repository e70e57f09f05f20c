import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { Holdings } from './plugin-rounds.js'

const program = fileURLToPath(new URL('../dist/faults/plugin-rounds.js', import.meta.url))
/** Of one hundred rounds: a plugin that is kept alive weighs more. */
const heapNoise = 256 * 1024

it('holds nothing of plugins that came and left a hundred times', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', program])
  const { before, after } = JSON.parse(stdout) as { before: Holdings; after: Holdings }
  const { heap, ...others } = after
  expect(others).toEqual({ descriptors: before.descriptors, listeners: before.listeners, resources: before.resources })
  expect(heap - before.heap).toBeLessThan(heapNoise)
})
