import assert from 'node:assert/strict'
import type { AgentRuntime, AgentTurn } from '../../agent.js'
import { Gate } from './model-script.js'
import { allEvents, call, linesOf, play, resultsOf, seen, settle, tool, withRun, type RuntimeCase } from './stage.js'

/** Nobody sees a difference between at once and this. */
const soonMs = 1_000

/** How a turn ends that is told to. */
export const stopCases: readonly RuntimeCase[] = [
  [
    // engine-api 12: stop in a hanging model · engine-api R1
    'a stop ends a turn whose model hangs, and leaves nothing of its answer',
    async (setup) => {
      const { script, journal, run } = play(setup, [{ text: 'half', wait: new Gate().wait }])
      await script.asked(1)
      const began = performance.now()
      run.stop()
      const { outcome, messages } = await run.result
      assert.ok(performance.now() - began < soonMs, 'the turn ends at once')
      assert.deepEqual([outcome.status, outcome.text, outcome.stop?.kind], ['interrupted', '', 'stop'])
      assert.deepEqual(linesOf(messages), ['user go'])
      assert.deepEqual(linesOf(journal.messages), ['user go'])
    },
  ],
  [
    // engine-api 12: stop in a batch · engine-api R3
    'a stop in a batch keeps what is done, tells what ran from what did not, and asks no model again',
    async (setup) => {
      const quick = tool('quick', () => 'quick')
      const slow = tool('slow', (_at, { signal }) => new Gate().wait(signal).then(() => 'never'))
      const calls = [call('c1', 'quick'), call('c2', 'slow'), call('c3', 'quick')]
      const { script, run } = play(setup, [{ calls }, { text: 'never said' }], { tools: [quick, slow] })
      await seen(run, 'tool-start', (event) => event.name === 'slow')
      run.stop()
      const { outcome, messages } = await run.result
      assert.equal(outcome.status, 'interrupted')
      assert.deepEqual(
        resultsOf(messages).map((line) => line.split(' ')[0]),
        ['ok', 'interrupted', 'skipped'],
      )
      assert.equal(script.requests.length, 1)
    },
  ],
  [
    // engine-api 12: callback loop unwinds after a stop · engine-api G5
    'a stop lets the loop unwind: nothing of it waits for ever',
    async (setup) => {
      let unwound: () => void = () => undefined
      const unwinding = new Promise<void>((resolve) => (unwound = resolve))
      const slow = tool('slow', (_at, { signal }) => new Gate().wait(signal).then(() => 'never'))
      const { run } = play(setup, [{ calls: [call('c1', 'slow')] }, { text: 'never said' }], {
        tools: [slow],
        wrap: (runtime) => tellingItsEnd(runtime, unwound),
      })
      await seen(run, 'tool-start')
      run.stop()
      await run.result
      await unwinding
    },
  ],
  [
    // engine-api 12: runtime deaf to the signal
    'a loop that is deaf to its signal changes nothing once the turn is over',
    async (setup) => {
      const gate = new Gate()
      const { script, journal, run } = play(setup, [{ text: 'late', wait: () => gate.wait(undefined) }], { wrap: deaf })
      await script.asked(1)
      await settle()
      run.stop()
      const { outcome } = await run.result
      const before = [linesOf(journal.messages), (await allEvents(run)).length]
      gate.open()
      await settle()
      assert.equal(outcome.status, 'interrupted')
      assert.deepEqual([linesOf(journal.messages), (await allEvents(run)).length], before)
    },
  ],
]

/** Lets a runtime hear of no stop. */
function deaf(runtime: AgentRuntime): AgentRuntime {
  return withRun(runtime, (turn) => runtime.run(Object.create(turn, { signal: { value: new AbortController().signal } }) as AgentTurn))
}

function tellingItsEnd(runtime: AgentRuntime, tell: () => void): AgentRuntime {
  return withRun(runtime, async function* (turn) {
    try {
      yield* runtime.run(turn)
    } finally {
      tell()
    }
  })
}
