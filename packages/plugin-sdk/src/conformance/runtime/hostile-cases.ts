import assert from 'node:assert/strict'
import { call, linesOf, play, resultsOf, tool, type RuntimeCase } from './stage.js'

/** What must not take the turn along, or must end it honestly. */
export const hostileCases: readonly RuntimeCase[] = [
  [
    // engine-api 12: model throws
    'a model that fails fails the turn, with what it said, and leaves no answer',
    async (setup) => {
      const { run } = play(setup, [{ failure: { status: 401, message: 'no such key' } }])
      const { outcome, messages } = await run.result
      assert.deepEqual([outcome.status, outcome.text], ['failed', ''])
      assert.match(outcome.failure?.message ?? '', /no such key/)
      assert.deepEqual(linesOf(messages), ['user go'])
    },
  ],
  [
    'a tool that throws is a result for the model, and the turn goes on',
    async (setup) => {
      const broken = tool('broken', () => {
        throw new TypeError('it broke')
      })
      const { script, run } = play(setup, [{ calls: [call('c1', 'broken')] }, { text: 'never mind' }], { tools: [broken] })
      const { outcome, messages } = await run.result
      assert.equal(outcome.text, 'never mind')
      assert.match(resultsOf(messages)[0] ?? '', /^error .*it broke/)
      assert.match(script.requests[1]?.at(-1)?.text ?? '', /it broke/)
    },
  ],
]
