import type { InboundMessage, RoutedChat, SendOutcome, SharedOptions } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { randomIds } from '../kernel/index.js'
import { memoryStore, type NewOutboxRecord } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createAccess } from './index.js'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const adapter = 'test'

/** The access of one adapter instance over a real store. People and codes are what was told them. */
async function setUp(options: SharedOptions, change: { messagesPerMinute?: number; outcomes?: SendOutcome[] } = {}) {
  const clock = new FakeClock()
  const store = memoryStore({ clock })
  await store.open()
  const told: { readonly chatId: string; readonly text: string; readonly replyTo?: string | undefined }[] = []
  const lines: string[] = []
  const log = (level: string) => (fields: object, message: string) => void lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  let last = 0
  const ports = {
    store,
    clock,
    ids: randomIds,
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    signal: new AbortController().signal,
    delivery: {
      compose: (chat: RoutedChat, text: string): NewOutboxRecord[] => [
        { key: randomIds.key(), chat, message: { text, format: 'plain' }, piece: { index: 0, count: 1 }, state: 'pending', dueAt: 0 },
      ],
      take: () => {},
      async tell({ chatId }: RoutedChat, text: string, replyTo?: string): Promise<SendOutcome> {
        const outcome = change.outcomes?.shift() ?? { status: 'sent', ids: [] }
        if (outcome.status === 'sent') told.push({ chatId, text, replyTo })
        return outcome
      },
    },
    messagesPerMinute: change.messagesPerMinute ?? 120,
    optionsOf: (name: string) => (name === adapter ? options : undefined),
    connectedSince: () => 0,
  }
  const open = () => createAccess(ports)
  const message = (from: string, more: Partial<InboundMessage> = {}): InboundMessage => {
    const id = String(++last)
    const chat = { platform: 'test', kind: 'dm', chatId: from } as const
    return { kind: 'message', id, at: clock.now(), chat, messageId: id, author: { id: from, isBot: false }, text: 'hello', mentions: 'none', ...more }
  }
  return { clock, store, told, lines, open, access: open(), message }
}

type Rig = Awaited<ReturnType<typeof setUp>>

/** Somebody unknown writes, as the gateway takes it in; the code that was shown, if there was one. */
async function askForCode({ store, access, message, told }: Rig, userId: string): Promise<string | undefined> {
  const event = message(userId)
  if (!access.admit(adapter, event)) return undefined
  const [receipt] = await store.execute('inbox.receive', { adapter, account: 'a', events: [{ event }], at: event.at })
  if (receipt?.receipt !== 'stored') throw new Error('the event was stored before')
  await access.pairing.offer(receipt.seq, { ...event.chat, adapter }, event.author)
  return /code: ([A-Z2-9]{8})/.exec(told.filter((each) => each.chatId === userId).at(-1)?.text ?? '')?.[1]
}

async function codeOf(rig: Rig, userId: string): Promise<string> {
  const code = await askForCode(rig, userId)
  if (code === undefined) throw new Error(`${userId} got no code`)
  return code
}

describe('pairing', () => {
  it('lets in who was given a code that is approved, also for the next process', async () => {
    const rig = await setUp({})
    const code = await codeOf(rig, 'u1')
    expect(await rig.access.pairing.approve({ adapter, code: code.toLowerCase() })).toMatchObject({ outcome: 'approved', person: { userId: 'u1' } })
    const next = rig.open()
    await next.pairing.load()
    for (const access of [rig.access, next]) expect(access.judge(adapter, rig.message('u1'))?.isAllowed).toBe(true)
    expect(await rig.access.pairing.approve({ adapter, code })).toEqual({ outcome: 'unknown' })
  })

  // adapters 32
  it('takes no code after five wrong ones, also not the right one; after an hour a fresh code works', async () => {
    const rig = await setUp({})
    const { pairing } = rig.access
    const code = await codeOf(rig, 'u1')
    for (let tries = 0; tries < 5; tries++) expect(await pairing.approve({ adapter, code: 'AAAAAAAA' })).toEqual({ outcome: 'unknown' })
    const locked = { outcome: 'locked', until: rig.clock.now() + hourMs }
    expect(await pairing.approve({ adapter, code })).toEqual(locked)
    const next = rig.open()
    await next.pairing.load()
    expect(await next.pairing.approve({ adapter, code })).toEqual(locked)
    await rig.clock.advance(hourMs)
    expect(await pairing.approve({ adapter, code })).toEqual({ outcome: 'unknown' })
    expect(await pairing.approve({ adapter, code: await codeOf(rig, 'u1') })).toMatchObject({ outcome: 'approved' })
  })

  it('counts wrong codes in a row: a right one forgives those before it', async () => {
    const rig = await setUp({})
    const { pairing } = rig.access
    for (const userId of ['u1', 'u2']) {
      const code = await codeOf(rig, userId)
      for (let tries = 0; tries < 4; tries++) await pairing.approve({ adapter, code: 'AAAAAAAA' })
      expect(await pairing.approve({ adapter, code })).toMatchObject({ outcome: 'approved' })
    }
  })

  it('lets the application approve a person during a lock, and take the admission back', async () => {
    const rig = await setUp({})
    const { pairing } = rig.access
    await codeOf(rig, 'u1')
    for (let tries = 0; tries < 5; tries++) await pairing.approve({ adapter, code: 'AAAAAAAA' })
    expect(await pairing.approve({ adapter, userId: 'u1' })).toMatchObject({ outcome: 'approved' })
    expect(await pairing.revoke(adapter, 'u1')).toBe(true)
    expect(rig.access.judge(adapter, rig.message('u1'))?.isAllowed).toBe(false)
    expect(await pairing.approve({ adapter, userId: 'u1' })).toEqual({ outcome: 'unknown' })
    expect(await pairing.revoke(adapter, 'u1')).toBe(false)
  })

  it('gives each person one code in ten minutes, and three people codes at once; who gets none is not stored', async () => {
    const rig = await setUp({})
    const first = await codeOf(rig, 'u1')
    await rig.clock.advance(10 * minuteMs - 1)
    expect(await askForCode(rig, 'u1')).toBeUndefined()
    await rig.clock.advance(1)
    expect(await codeOf(rig, 'u1')).not.toBe(first)
    await codeOf(rig, 'u2')
    await codeOf(rig, 'u3')
    const { commits } = rig.store.health()
    for (let stranger = 0; stranger < 1000; stranger++) expect(rig.access.admit(adapter, rig.message(`s${stranger}`))).toBe(false)
    expect(rig.store.health().commits).toBe(commits)
    await rig.clock.advance(hourMs)
    await codeOf(rig, 'u4')
  })

  it('takes a code for an hour, and says nothing of it in the log or the list', async () => {
    const rig = await setUp({})
    const code = await codeOf(rig, 'u1')
    const { waiting } = await rig.access.pairing.list()
    expect(waiting).toEqual([{ adapter, userId: 'u1', name: undefined, requestedAt: rig.clock.now(), expiresAt: rig.clock.now() + hourMs }])
    expect(rig.lines.join('\n')).toContain('pairing code')
    const kept = JSON.stringify([
      rig.lines,
      await rig.store.execute('pairing.list', {}),
      await rig.store.execute('outbox.open', { after: 0, limit: 9 }),
    ])
    expect(kept).not.toContain(code)
    await rig.clock.advance(hourMs)
    expect(await rig.access.pairing.approve({ adapter, code })).toEqual({ outcome: 'unknown' })
    expect(await rig.access.pairing.list()).toEqual({ waiting: [], paired: [] })
  })

  it('says a code again that the platform certainly did not show', async () => {
    const rig = await setUp({}, { outcomes: [{ status: 'rejected', reason: 'rate-limited', detail: 'slow down', retryAfterMs: 3000 }] })
    const asking = askForCode(rig, 'u1')
    expect(await asking).toBeUndefined()
    await rig.clock.advance(await rig.clock.slept())
    expect(rig.told).toHaveLength(1)
  })

  it('reserves a code for the first message only, and frees it when that was not stored', async () => {
    const { access, message } = await setUp({})
    const first = message('u1')
    expect([access.admit(adapter, first), access.admit(adapter, message('u1'))]).toEqual([true, false])
    access.takeBack(adapter, first)
    expect(access.admit(adapter, first)).toBe(true)
  })
})

describe('the door', () => {
  it('counts who may not speak, and writes few lines about it', async () => {
    const { access, message, lines } = await setUp({ allowFrom: ['u1'] })
    for (let stranger = 0; stranger < 100; stranger++) expect(access.admit(adapter, message(`s${stranger}`))).toBe(false)
    expect(access.admit(adapter, message('u1'))).toBe(true)
    expect(access.counts(adapter)).toEqual({ denied: 100, overQuota: 0 })
    expect(lines.filter((line) => line.startsWith('info'))).toHaveLength(10)
    expect(lines[0]).toContain('not-listed')
  })

  it('takes so many events of a sender within a minute, tells once, and counts the rest', async () => {
    const { access, message, told, clock } = await setUp({ allowAll: true }, { messagesPerMinute: 3 })
    const takes = () => Array.from({ length: 5 }, () => access.admit(adapter, message('u1')))
    expect(takes()).toEqual([true, true, true, false, false])
    expect(access.admit(adapter, message('u2'))).toBe(true)
    expect(told).toEqual([{ chatId: 'u1', text: expect.stringContaining('3 messages a minute') as string, replyTo: undefined }])
    expect(access.counts(adapter)).toEqual({ denied: 0, overQuota: 2 })
    await clock.advance(minuteMs)
    expect(takes()).toEqual([true, true, true, false, false])
    expect(told).toHaveLength(2)
  })

  it('does not count what was written while the bot was away, nor what was not stored', async () => {
    const { access, message } = await setUp({ allowAll: true }, { messagesPerMinute: 1 })
    for (let missed = 0; missed < 5; missed++) expect(access.admit(adapter, message('u1', { at: -1 }))).toBe(true)
    const again = message('u1')
    for (let delivery = 0; delivery < 5; delivery++) {
      expect(access.admit(adapter, again)).toBe(true)
      access.takeBack(adapter, again)
    }
    expect([access.admit(adapter, again), access.admit(adapter, message('u1'))]).toEqual([true, false])
  })

  it('hears bots that answer each other six times in ten minutes, unless a person speaks', async () => {
    const { access, message, clock } = await setUp({ allowChats: ['g'], allowBots: 'all', requireMention: false })
    const chat = { platform: 'test', kind: 'group', chatId: 'g' } as const
    const robots = (times: number) =>
      Array.from({ length: times }, () => access.admit(adapter, message('b1', { chat, author: { id: 'b1', isBot: true } })))
    const heard = [true, true, true, true, true, true]
    expect(robots(8)).toEqual([...heard, false, false])
    expect(access.admit(adapter, message('u1', { chat }))).toBe(true)
    expect(robots(7)).toEqual([...heard, false])
    await clock.advance(10 * minuteMs)
    expect(robots(7)).toEqual([...heard, false])
    expect(access.counts(adapter).denied).toBe(4)
  })

  it('stores what does not speak to us, for plugins', async () => {
    const { access, message } = await setUp({ allowAll: true })
    expect(access.admit(adapter, message('u1', { chat: { platform: 'test', kind: 'group', chatId: 'g' } }))).toBe(true)
  })
})
