import type { AssistantMessage, Message } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { ScriptedModel } from '../testing/index.js'
import { createAgent } from './index.js'

let count = 0
const stamp = () => ({ id: `m${count++}` as never, turn: 'turn-1' as never, at: 1 })
const user = (...texts: string[]): Message => ({ ...stamp(), role: 'user', origin: 'person', parts: texts.map((text) => ({ type: 'text', text })) })
const answer = (...parts: AssistantMessage['parts']): Message => ({
  ...stamp(),
  role: 'assistant',
  model: { provider: 'scripted', model: 'script' },
  finish: 'stop',
  parts,
})
const result = (callId: string, ...parts: Extract<Message, { role: 'tool' }>['parts']): Message => ({
  ...stamp(),
  role: 'tool',
  callId: callId as never,
  name: 'look',
  status: 'ok',
  parts,
})
const callPart = (callId: string, more = {}) => ({ type: 'tool-call', callId: callId as never, name: 'look', input: {}, ...more }) as const
const own = { issuer: 'scripted/script', data: { scripted: { signature: 's' } } }
const foreign = { issuer: 'other/model', data: { other: { signature: 'x' } } }

async function promptOf(...messages: Message[]) {
  const model = new ScriptedModel(() => 'ok')
  await createAgent({ model }).stream({ messages: [...messages, user('now')] }).result
  return model.calls[0]?.prompt.slice(0, -1) ?? []
}

// engine-api R5
describe('what a model is sent', () => {
  it('joins user messages that follow each other, as after a turn that was stopped', async () => {
    const model = new ScriptedModel(() => 'ok')
    await createAgent({ model }).stream({ messages: [user('one'), user('two')] }).result
    expect(model.calls[0]?.prompt).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'one' },
          { type: 'text', text: 'two' },
        ],
      },
    ])
  })

  it('gives reasoning and replay data back to their own issuer only', async () => {
    const parts = [
      { type: 'reasoning', text: 'mine', replay: own },
      { type: 'reasoning', text: 'theirs', replay: foreign },
      { type: 'reasoning', text: 'nobody’s' },
      { type: 'text', text: 'a', replay: foreign },
      callPart('c1', { replay: own }),
    ] as const
    const [, sent] = await promptOf(user('q'), answer(...parts), result('c1', { type: 'text', text: 'r' }))
    expect(sent?.content).toEqual([
      { type: 'reasoning', text: 'mine', providerOptions: own.data },
      { type: 'text', text: 'a' },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {}, providerOptions: own.data },
    ])
  })

  it('makes one message of the results of a batch, with media as a line of text and JSON as JSON', async () => {
    const media = { type: 'media', media: { ref: 'media_x', mediaType: 'image/png', name: 'cat.png' } } as const
    const messages = [
      user('q'),
      answer(callPart('c1'), callPart('c2')),
      result('c1', { type: 'text', text: 'r' }, media),
      result('c2', { type: 'json', value: { a: 1 } }),
    ]
    const sent = (await promptOf(...messages))[2]
    expect(sent?.content).toMatchObject([
      { toolCallId: 'c1', output: { type: 'text', value: 'r\n[image/png "cat.png", kept as media_x]' } },
      { toolCallId: 'c2', output: { type: 'text', value: '{"a":1}' } },
    ])
  })

  it('writes call ids so that strict providers take them, the same in call and result', async () => {
    const odd = 'functions.look:0'
    const [, call, sent] = await promptOf(user('q'), answer(callPart(odd)), result(odd, { type: 'text', text: 'r' }))
    const [callId, resultId] = [call, sent].map((message) => (message?.content[0] as { toolCallId: string } | undefined)?.toolCallId)
    expect(callId).toMatch(/^[\w-]{1,64}$/)
    expect(resultId).toBe(callId)
  })

  it('leaves out an answer without words, and input that was no JSON', async () => {
    const [, sent, ...rest] = await promptOf(
      user('q'),
      answer(callPart('c1', { input: null, unparsed: '{' })),
      result('c1', { type: 'text', text: 'r' }),
      answer({ type: 'text', text: '' }),
    )
    expect(sent?.content).toMatchObject([{ input: {} }])
    expect(rest).toHaveLength(1)
  })
})
