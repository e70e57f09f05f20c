import assert from 'node:assert/strict'
import { pause, until } from '../waiting.js'
import type { PluginCase } from './plugin-stage.js'

const rounds = 20

/** How a plugin leaves. */
export const leaveCases: readonly PluginCase[] = [
  [
    'undoes what it did in its time, and nothing of it fails',
    async (stage) => {
      const { record, leave } = await stage.load()
      await leave()
      assert.deepEqual(record.undoFailures, [])
      // A host goes on without it when its time is over.
      assert.equal(record.openUndos, 0, 'an undo never ended')
    },
  ],
  [
    'registers nothing any more',
    async (stage) => {
      const { record, leave } = await stage.load()
      await leave()
      await pause(100)
      assert.deepEqual(record.late, [])
    },
  ],
  [
    'leaves no timer, no socket and no listener of the process',
    async (stage) => {
      const house = await stage.house()
      await (await stage.load(house)).leave()
      const [resources, listeners] = [process.getActiveResourcesInfo().length, listenersOfProcess()]
      for (let round = 0; round < rounds; round++) await (await stage.load(house)).leave()
      await until(() => process.getActiveResourcesInfo().length < resources + rounds / 2, 'timers and sockets are given back')
      assert.equal(listenersOfProcess(), listeners, 'listeners of the process')
    },
  ],
]

function listenersOfProcess(): number {
  return process.eventNames().reduce((sum, event) => sum + process.listenerCount(event), 0)
}
