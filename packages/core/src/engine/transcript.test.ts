import fc from 'fast-check'
import type { Message } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { openCalls, ReadingOrder } from './transcript.js'

const stamp = (id: string) => ({ id: id as never, turn: 't' as never, at: 0 })
const user = (id: string): Message => ({ ...stamp(id), role: 'user', origin: 'person', parts: [] })
const answer = (id: string, calls: readonly string[]): Message => ({
  ...stamp(id),
  role: 'assistant',
  model: { provider: 'p', model: 'm' },
  finish: 'tool-calls',
  parts: calls.map((callId) => ({ type: 'tool-call', callId: callId as never, name: 'x', input: {} })),
})
const result = (callId: string): Message => ({ ...stamp(`r-${callId}`), role: 'tool', callId: callId as never, name: 'x', status: 'ok', parts: [] })

// engine-api R2
describe('the reading order', () => {
  const batches = fc.array(
    fc.integer({ min: 0, max: 5 }).chain((size) => fc.shuffledSubarray([...Array(size).keys()].map(String), { minLength: size })),
  )

  it('has the results of every batch in call order, in whatever order they were stored', () => {
    fc.assert(
      fc.property(batches, (orders) => {
        const stored = orders.flatMap((order) => [user('u'), answer('a', order.toSorted()), ...order.map(result), user('note')])
        const wanted = orders.flatMap((order) => ['u', 'a', ...order.toSorted().map((callId) => `r-${callId}`), 'note'])
        expect(new ReadingOrder(stored).messages.map((message) => message.id)).toEqual(wanted)
      }),
    )
  })

  it('leaves open the calls of the newest answer that have no result', () => {
    const { messages } = new ReadingOrder([user('u'), answer('a', ['1', '2', '3']), result('3'), result('1')])
    expect(openCalls(messages).map((call) => call.callId)).toEqual(['2'])
    expect(openCalls([user('u')])).toEqual([])
  })
})
