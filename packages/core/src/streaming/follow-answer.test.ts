import type { AgentEvent, AssistantMessage, CallId, MessageId, TurnId } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { followAnswer } from './index.js'

const step: AgentEvent = { type: 'step-start', model: { provider: 'p', model: 'm' } }
const tool: AgentEvent = { type: 'tool-start', callId: 'c' as CallId, name: 'look', input: {} }
const text = (delta: string): AgentEvent => ({ type: 'text-delta', id: 't', text: delta })
const thought = (delta: string): AgentEvent => ({ type: 'reasoning-delta', id: 'r', text: delta })
const stored: AgentEvent = { type: 'message-add', message: answer() }

function answer(): AssistantMessage {
  return { id: 'm' as MessageId, turn: 't' as TurnId, at: 0, role: 'assistant', model: { provider: 'p', model: 'm' }, finish: 'stop', parts: [] }
}

/** What a display is told by these events. */
async function shown(...events: AgentEvent[]): Promise<string[]> {
  const told: string[] = []
  const answerOf = followAnswer<string>({
    set: (wanted) => void told.push(wanted),
    segment: () => void told.push('|'),
    finish: (rows) => void told.push(...rows),
  })
  await answerOf.follow(
    (async function* () {
      yield* events
    })(),
  )
  answerOf.finish(['final'])
  return told
}

describe('following an answer', () => {
  it('shows the text whole each time it grows, and hands over the final', async () => {
    expect(await shown(step, text('Hel'), text('lo'), stored)).toEqual(['Hel', 'Hello', 'final'])
  })

  it('shows no reasoning and no empty text', async () => {
    expect(await shown(step, thought('hmm'), text(''), text('Yes'))).toEqual(['Yes', 'final'])
  })

  it('ends the segment before tools run, and shows the text of the next step alone', async () => {
    expect(await shown(step, text('Let me look.'), stored, tool, tool, step, text('Done.'), stored)).toEqual(['Let me look.', '|', 'Done.', 'final'])
  })

  it('ends no segment that has no text', async () => {
    expect(await shown(step, stored, tool, step, text('Done.'))).toEqual(['Done.', 'final'])
  })

  it('ends the segment when a further step follows an answer', async () => {
    expect(await shown(step, text('One.'), stored, step, text('Two.'), stored)).toEqual(['One.', '|', 'Two.', 'final'])
  })

  it('begins the text anew when a step is tried again', async () => {
    expect(await shown(step, text('Hel'), step, text('Hello'), stored)).toEqual(['Hel', 'Hello', 'final'])
  })
})
