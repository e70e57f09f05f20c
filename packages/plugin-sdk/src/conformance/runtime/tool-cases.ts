import assert from 'node:assert/strict'
import { call, play, resultsOf, seen, tool, type RuntimeCase } from './stage.js'

/** Calls, and what the model learns of them. */
export const toolCases: readonly RuntimeCase[] = [
  [
    // engine-api 12: three conflicting calls in order
    'calls that conflict run one after another, in their order',
    async (setup) => {
      const log: string[] = []
      const write = tool('write', async (at) => {
        log.push(`begin ${at}`)
        await new Promise((resolve) => setImmediate(resolve))
        log.push(`end ${at}`)
        return at
      })
      const calls = ['a', 'b', 'c'].map((at) => call(`call-${at}`, 'write', at))
      const { script, run } = play(setup, [{ calls }, { text: 'done' }], { tools: [write] })
      assert.deepEqual(resultsOf((await run.result).messages), ['ok a', 'ok b', 'ok c'])
      assert.deepEqual(log, ['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c'])
      const sent = script.requests[1]?.flatMap(({ role, text }) => (role === 'tool' ? [text] : []))
      assert.deepEqual(sent, ['a', 'b', 'c'])
    },
  ],
  [
    // engine-api 12: denial with reason
    'a call that a person refuses does not run, and the model reads why',
    async (setup) => {
      let ran = false
      const guarded = tool('guarded', () => ((ran = true), 'ran'), { approval: 'always' })
      const { script, run } = play(setup, [{ calls: [call('c1', 'guarded')] }, { text: 'as you wish' }], { tools: [guarded], canAnswer: true })
      const { question } = await seen(run, 'question-open')
      assert.ok(run.answer(question.id, { kind: 'denied', reason: 'too risky' }), 'the question is open')
      const { outcome, messages } = await run.result
      assert.equal(outcome.text, 'as you wish')
      assert.equal(ran, false)
      assert.match(resultsOf(messages)[0] ?? '', /^denied .*too risky/)
      assert.match(script.requests[1]?.at(-1)?.text ?? '', /too risky/)
    },
  ],
  [
    // engine-api 12: answer given synchronously while the question opens
    'an answer that comes while its question is being stored counts',
    async (setup) => {
      const asking = tool('asking', async (_at, { ask }) => {
        const answer = await ask({ id: 'name', kind: 'text', text: 'Who are you?' })
        return answer.kind === 'text' ? answer.text : answer.kind
      })
      const { journal, run } = play(setup, [{ calls: [call('c1', 'asking')] }, { text: 'hello' }], { tools: [asking], canAnswer: true })
      journal.onFact = (fact) => void (fact.kind === 'question' && run.answer(fact.question.id, { kind: 'text', text: 'Ada' }))
      assert.deepEqual(resultsOf((await run.result).messages), ['ok Ada'])
    },
  ],
  [
    // engine-api 12: repeated call ids · engine-api R7
    'call ids that the model repeats are calls of their own',
    async (setup) => {
      const echo = tool('echo', (at) => at)
      const replies = [{ calls: [call('0', 'echo', 'one')] }, { calls: [call('0', 'echo', 'two')] }, { text: 'done' }]
      const { script, run } = play(setup, replies, { tools: [echo] })
      const { messages } = await run.result
      assert.deepEqual(resultsOf(messages), ['ok one', 'ok two'])
      const ids = messages.flatMap((message) => (message.role === 'tool' ? [message.callId] : []))
      assert.equal(new Set(ids).size, 2)
      assert.equal(script.requests[2]?.at(-1)?.text, 'two')
    },
  ],
  [
    // engine-api 12: bad input
    'a call whose input is wrong does not run, has one result that is not ok, and the model goes on',
    async (setup) => {
      let ran = false
      const strict = tool('strict', () => ((ran = true), 'ran'))
      const { run } = play(setup, [{ calls: [{ id: 'c1', name: 'strict', input: {} }] }, { text: 'sorry' }], { tools: [strict] })
      const { outcome, messages } = await run.result
      assert.equal(outcome.text, 'sorry')
      assert.equal(ran, false)
      const results = resultsOf(messages)
      assert.equal(results.length, 1)
      assert.doesNotMatch(results[0] ?? '', /^ok/)
    },
  ],
  [
    'results that all end the turn end it without a further request',
    async (setup) => {
      const last = tool('last', () => 'unused')
      const ending = { ...last, run: () => ({ parts: [{ type: 'text', text: 'that was it' } as const], endsTurn: true }) }
      const { script, run } = play(setup, [{ calls: [call('c1', 'last')] }], { tools: [ending] })
      const { outcome, messages } = await run.result
      assert.equal(outcome.status, 'completed')
      assert.deepEqual(resultsOf(messages), ['ok that was it'])
      assert.equal(script.requests.length, 1)
    },
  ],
]
