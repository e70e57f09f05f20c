import assert from 'node:assert/strict'
import type { Tool } from '../../tool.js'
import { Gate, RecordedScript, type ScriptedReply } from './model-script.js'
import { call, linesOf, playOn, resultsOf, seen, tool, type RuntimeCase } from './stage.js'
import type { RuntimeConformance } from './runtime-conformance.js'

const replies = (name: string): readonly ScriptedReply[] => [{ calls: [call('c1', name)] }, { text: 'done' }]

/** A first life that the process leaves when a question is open, and the next one on what it stored. */
async function liveTwice(setup: RuntimeConformance, asking: Tool) {
  const script = new RecordedScript(replies(asking.name))
  const first = playOn(setup, script, { tools: [asking], canAnswer: true })
  await seen(first.run, 'question-open')
  first.run.stop('shutdown')
  assert.equal((await first.run.result).outcome.status, 'parked')
  const next = playOn(setup, script, { ...first.journal.leave(), tools: [asking], canAnswer: true })
  const { question } = await seen(next.run, 'question-open')
  return { script, question, run: next.run }
}

/** A first life that dies while a tool runs, and the next one on what it had stored by then. */
async function dieInTool(setup: RuntimeConformance, more: Partial<Tool>) {
  const runs: string[] = []
  const gate = new Gate()
  const dying = tool('dying', (at, { signal }) => (runs.push(at), runs.length > 1 ? 'again' : gate.wait(signal).then(() => 'late')), more)
  const script = new RecordedScript(replies('dying'))
  const first = playOn(setup, script, { tools: [dying] })
  await seen(first.run, 'tool-start')
  const left = first.journal.leave()
  first.run.stop('lost')
  await first.run.result
  const { run } = playOn(setup, script, { ...left, tools: [dying] })
  return { runs, script, ...(await run.result) }
}

/** What the next life of a turn finds. */
export const restartCases: readonly RuntimeCase[] = [
  [
    // engine-api 12: approval over a restart · engine-api R4
    'an approval that a restart came between runs its call once, without a second request for it',
    async (setup) => {
      let runs = 0
      const { script, question, run } = await liveTwice(
        setup,
        tool('guarded', () => `run ${++runs}`, { approval: 'always' }),
      )
      assert.ok(run.answer(question.id, { kind: 'approved' }), 'the question is open again')
      const { outcome, messages } = await run.result
      assert.deepEqual([outcome.status, outcome.text], ['completed', 'done'])
      assert.deepEqual(resultsOf(messages), ['ok run 1'])
      assert.equal(script.requests.length, 2)
    },
  ],
  [
    // engine-api 12: question inside a replayable tool over a restart
    'a question of a tool that may run again is asked again after a restart, and its answer arrives',
    async (setup) => {
      const asking = tool(
        'asking',
        async (_at, { ask }) => {
          const answer = await ask({ id: 'name', kind: 'text', text: 'Who are you?' })
          return answer.kind === 'text' ? answer.text : answer.kind
        },
        { replay: 'safe' },
      )
      const { script, question, run } = await liveTwice(setup, asking)
      assert.ok(run.answer(question.id, { kind: 'text', text: 'Ada' }), 'the question is open again')
      assert.deepEqual(linesOf((await run.result).messages), ['user go', 'assistant asking()', 'tool ok Ada', 'assistant done'])
      assert.equal(script.requests.length, 2)
    },
  ],
  [
    // engine-api 12: death in a tool · engine-api R3
    'a death in a tool leaves a result that says that nobody knows, and runs it no more',
    async (setup) => {
      const { runs, script, outcome, messages } = await dieInTool(setup, {})
      assert.equal(outcome.status, 'interrupted')
      assert.match(resultsOf(messages)[0] ?? '', /^unknown /)
      assert.equal(runs.length, 1)
      assert.equal(script.requests.length, 1)
    },
  ],
  [
    // engine-api 12: death in a tool · engine-api R4
    'a death in a tool that changes nothing runs it again, and the turn goes on',
    async (setup) => {
      const { runs, script, outcome, messages } = await dieInTool(setup, { readOnly: true })
      assert.deepEqual([outcome.status, outcome.text], ['completed', 'done'])
      assert.deepEqual(resultsOf(messages), ['ok again'])
      assert.equal(runs.length, 2)
      assert.equal(script.requests.length, 2)
    },
  ],
]
