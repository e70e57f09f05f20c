import assert from 'node:assert/strict'
import type { AgentEvent } from '../../agent.js'
import { allEvents, call, linesOf, play, tool, type RuntimeCase } from './stage.js'

const look = tool('look', () => 'blue', { readOnly: true })

/** How a turn goes that nothing disturbs. */
export const answerCases: readonly RuntimeCase[] = [
  [
    // engine-api 12: round trip
    'a turn with a tool makes two requests, and the second ends with the result',
    async (setup) => {
      const { script, run } = play(setup, [{ text: 'Let me look. ', calls: [call('c1', 'look', 'sky')] }, { text: 'It is blue.' }], {
        tools: [look],
      })
      const { outcome, messages, undelivered } = await run.result
      assert.deepEqual([outcome.status, outcome.text, outcome.steps], ['completed', 'It is blue.', 2])
      assert.deepEqual(linesOf(messages), ['user go', 'assistant Let me look.  look()', 'tool ok blue', 'assistant It is blue.'])
      assert.deepEqual(script.requests[0], [{ role: 'user', text: 'go' }])
      assert.deepEqual(script.requests[1]?.at(-1), { role: 'tool', text: 'blue' })
      assert.deepEqual(undelivered, [])
    },
  ],
  [
    // engine-api 12: order of events · engine-api G1 · engine-api G2 · engine-api G3
    'events come in order: a step, its words, its answer, its tools, the next step',
    async (setup) => {
      const { run } = play(setup, [{ text: 'Let me look. ', calls: [call('c1', 'look', 'sky')] }, { text: 'It is blue.' }], { tools: [look] })
      const events = await allEvents(run)
      assert.deepEqual(outlineOf(events), [
        'turn-start',
        'step-start',
        'step-end',
        'message-add assistant',
        'tool-start',
        'tool-end',
        'step-start',
        'step-end',
        'message-add assistant',
        'turn-end',
      ])
      const words = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []))
      assert.equal(words.join(''), 'Let me look. It is blue.')
      const position = (index: number) => events.findIndex((event) => event.type === 'text-delta' && event.text === words[index])
      assert.ok(position(0) > events.findIndex((event) => event.type === 'step-start'), 'words come behind the start of their step')
    },
  ],
  [
    'a next turn reads the conversation as it was',
    async (setup) => {
      const first = play(setup, [{ text: 'one', calls: [call('c1', 'look')] }, { text: 'two' }], { tools: [look] })
      const { messages } = await first.run.result
      const next = play(setup, [{ text: 'three' }], { messages: [...messages, 'again'], tools: [look] })
      assert.equal((await next.run.result).outcome.text, 'three')
      const texts = next.script.requests[0]?.map(({ role, text }) => `${role} ${text}`)
      assert.deepEqual(texts, ['user go', 'assistant one', 'tool blue', 'assistant two', 'user again'])
    },
  ],
  [
    // engine-api 12: out of steps
    'without a step left no model is asked for another',
    async (setup) => {
      const again = { calls: [call('c1', 'look')] }
      const { script, run } = play(setup, [again, { calls: [call('c2', 'look')] }, { text: 'That is what I did.' }], { tools: [look], maxSteps: 2 })
      const { outcome, messages } = await run.result
      assert.deepEqual([outcome.status, outcome.limit], ['stopped', 'steps'])
      assert.equal(messages.filter((message) => message.role === 'tool').length, 2)
      // One more request is allowed for a summary of what was done.
      assert.ok(script.requests.length <= 3, `${script.requests.length} requests for 2 steps`)
    },
  ],
]

/** What is promised to come in order; words, and what else a runtime likes to tell, are left out, and so is what is stored with the first facts. */
function outlineOf(events: readonly AgentEvent[]): string[] {
  const told = new Set<AgentEvent['type']>(['turn-start', 'step-start', 'step-end', 'tool-start', 'tool-end', 'turn-end'])
  return events.flatMap((event) => {
    if (event.type === 'message-add' && event.message.role === 'assistant') return ['message-add assistant']
    return told.has(event.type) ? [event.type] : []
  })
}
