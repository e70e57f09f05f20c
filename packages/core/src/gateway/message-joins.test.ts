import type { InboundMessage } from '@hermes/plugin-sdk'
import { expect, it } from 'vitest'
import type { InboxRecord } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { MessageJoins, type Arrival } from './message-joins.js'

const image = (name: string) => ({ kind: 'image', ref: { name } }) as const

function row(seq: number, more: Partial<InboundMessage> = {}): InboxRecord {
  const event: InboundMessage = {
    kind: 'message',
    id: `e${seq}`,
    at: 0,
    chat: { platform: 'test', kind: 'group', chatId: 'g' },
    messageId: `m${seq}`,
    author: { id: 'u', isBot: false },
    text: '',
    mentions: 'none',
    join: { key: 'album', quietMs: 800 },
    ...more,
  }
  return { seq, adapter: 'test', event, receivedAt: 0 }
}

function setUp() {
  const clock = new FakeClock()
  const closing = new AbortController()
  return { clock, closing, joins: new MessageJoins({ clock, signal: closing.signal }) }
}

async function begun(taken: ReturnType<MessageJoins['take']>): Promise<Arrival | undefined> {
  if (taken === undefined || taken === 'joined') throw new Error('no message began')
  return taken
}

it('joins what comes until nothing came for a while, and what it says', async () => {
  const { clock, joins } = setUp()
  const whole = begun(joins.take(row(1, { text: 'look ', attachments: [image('a')] })))
  await clock.advance(700)
  expect(joins.take(row(2, { text: 'look', attachments: [image('b')], mentions: 'us' }))).toBe('joined')
  await clock.advance(700)
  expect(joins.take(row(3, { text: 'and this', mentions: 'others', replyTo: { messageId: 'm0' }, context: ['x'] }))).toBe('joined')
  await clock.advance(800)
  const arrival = await whole
  expect(arrival?.parts.map(({ seq }) => seq)).toEqual([2, 3])
  expect(arrival?.row).toMatchObject({
    seq: 1,
    event: {
      id: 'e1',
      messageId: 'm1',
      text: 'look\n\nand this',
      mentions: 'us',
      attachments: [image('a'), image('b')],
      replyTo: { messageId: 'm0' },
      context: ['x'],
    },
  })
  expect(joins.take(row(4))).not.toBe('joined')
})

it('joins only what belongs together, and waits for nothing else', async () => {
  const { clock, joins } = setUp()
  expect(joins.take(row(1, { join: undefined }))).toBeUndefined()
  const whole = begun(joins.take(row(2)))
  const others = [row(3, { author: { id: 'v', isBot: false } }), row(4, { join: { key: 'other', quietMs: 800 } }), { ...row(5), adapter: 'second' }]
  for (const other of others) expect(joins.take(other)).not.toBe('joined')
  await clock.advance(800)
  const alone = row(2)
  expect(await whole).toEqual({ row: alone, parts: [] })
})

it('is whole after ten seconds and after fifty parts, also where more keep coming', async () => {
  const { clock, joins } = setUp()
  const slow = begun(joins.take(row(1)))
  for (let seq = 2; seq <= 20; seq++) {
    await clock.advance(500)
    expect(joins.take(row(seq))).toBe('joined')
  }
  await clock.advance(500)
  expect((await slow)?.parts).toHaveLength(19)
  const many = begun(joins.take(row(100)))
  const taken = Array.from({ length: 50 }, (_, index) => joins.take(row(101 + index)))
  expect(taken.filter((each) => each === 'joined')).toHaveLength(49)
  await clock.advance(800)
  expect((await many)?.parts).toHaveLength(49)
})

it('leaves it to the next start when the house closes', async () => {
  const { closing, clock, joins } = setUp()
  const whole = begun(joins.take(row(1)))
  closing.abort()
  expect(await whole).toBeUndefined()
  expect(clock.sleeping).toEqual([])
})
