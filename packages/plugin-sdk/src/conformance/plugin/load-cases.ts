import assert from 'node:assert/strict'
import { allHooks } from './hook-payloads.js'
import type { PluginCase } from './plugin-stage.js'

/** How a plugin comes in. */
export const loadCases: readonly PluginCase[] = [
  ['comes in, in its time and with all that it registers', async (stage) => void (await stage.load())],
  [
    'brings the same when it comes in again, and no name twice',
    async (stage) => {
      const house = await stage.house()
      const first = await stage.load(house)
      const { names } = first.record
      await first.leave()
      const second = await stage.load(house)
      assert.deepEqual(second.record.names, names)
    },
  ],
  [
    'shares nothing with another one of it, in another house',
    async (stage) => {
      const [first, second] = [await stage.load(), await stage.load()]
      const { names } = second.record
      assert.deepEqual(first.record.names, names)
      await first.leave()
      assert.deepEqual(second.record.names, names)
    },
  ],
  [
    'taps hooks that there are',
    async (stage) => {
      const { record } = await stage.load()
      const unknown = [...record.taps].map(({ hook }) => hook).filter((hook) => !allHooks.includes(hook))
      assert.deepEqual(unknown, [], 'nothing calls these taps')
    },
  ],
]
