import assert from 'node:assert/strict'
import type { AgentRuntime } from '../../agent.js'
import { Gate } from './model-script.js'
import { call, linesOf, play, seen, tool, withRun, type RuntimeCase } from './stage.js'

const look = tool('look', () => 'seen', { readOnly: true })

/** A tool that runs until a note waits. */
const wait = tool('wait', async (_at, { attention }) => {
  if (!attention.aborted) await new Promise((resolve) => attention.addEventListener('abort', resolve, { once: true }))
  return 'waited'
})

/** A note that comes when the last answer is under way is the next turn's. */
const lateNote: RuntimeCase = [
  // engine-api 12: late note comes back
  'a note that comes too late comes back',
  async (setup) => {
    const gate = new Gate()
    const { script, run } = play(setup, [{ text: 'done', wait: gate.wait }])
    await script.asked(1)
    assert.ok(run.steer('too late'), 'the turn runs')
    gate.open()
    const { outcome, messages, undelivered } = await run.result
    assert.equal(outcome.text, 'done')
    assert.deepEqual(linesOf(messages), ['user go', 'assistant done'])
    assert.deepEqual(linesOf(undelivered), ['user too late'])
  },
]

/** Notes for a runtime that takes them. */
export const noteCases: readonly RuntimeCase[] = [
  [
    // engine-api 12: note during a tool · engine-api R8
    'a note during a tool reaches the next request once, behind the results, and stays there',
    async (setup) => {
      const replies = [{ calls: [call('c1', 'wait')] }, { calls: [call('c2', 'look')] }, { text: 'done' }]
      const { script, run } = play(setup, replies, { tools: [wait, look] })
      await seen(run, 'tool-start')
      assert.ok(run.steer('hurry'), 'the turn runs')
      const { messages, undelivered } = await run.result
      const read = script.requests.map((request) => request.map(({ role, text }) => `${role} ${text}`.trim()).filter((line) => line !== 'assistant'))
      assert.deepEqual(read[1], ['user go', 'tool waited', 'user hurry'])
      assert.deepEqual(read[2], ['user go', 'tool waited', 'user hurry', 'tool seen'])
      assert.deepEqual(linesOf(messages), [
        'user go',
        'assistant wait()',
        'tool ok waited',
        'user hurry',
        'assistant look()',
        'tool ok seen',
        'assistant done',
      ])
      assert.deepEqual(undelivered, [])
    },
  ],
  lateNote,
  [
    // engine-api 12: note taken but never recorded comes back
    'a note that was taken and not added comes back',
    async (setup) => {
      const { run } = play(setup, [{ calls: [call('c1', 'wait')] }, { text: 'done' }], { tools: [wait], wrap: withoutNotes })
      await seen(run, 'tool-start')
      run.steer('hurry')
      const { undelivered } = await run.result
      assert.deepEqual(linesOf(undelivered), ['user hurry'])
    },
  ],
]

/** Notes for a runtime that takes none. */
export const queuedNoteCases: readonly RuntimeCase[] = [lateNote]

/** Loses the notes that a runtime adds. */
function withoutNotes(runtime: AgentRuntime): AgentRuntime {
  return withRun(runtime, async function* (turn) {
    for await (const event of runtime.run(turn)) if (event.type !== 'message-add' || event.message.role !== 'user') yield event
  })
}
