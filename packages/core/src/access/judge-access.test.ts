import type { InboundMessage } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { judgeAccess } from './judge-access.js'

function message(
  change: { from?: string; isBot?: boolean; chat?: Partial<InboundMessage['chat']>; mentions?: InboundMessage['mentions'] } = {},
): InboundMessage {
  return {
    kind: 'message',
    id: 'e1',
    at: 0,
    chat: { platform: 'test', kind: 'dm', chatId: 'c1', ...change.chat },
    messageId: 'm1',
    author: { id: change.from ?? 'u1', isBot: change.isBot ?? false },
    text: 'hello',
    mentions: change.mentions ?? 'none',
  }
}

describe('judgeAccess', () => {
  it('refuses everybody while nothing is allowed', () => {
    expect(judgeAccess(message(), {})).toEqual({ isAllowed: false, reason: 'not-listed' })
  })

  it('allows listed people in any chat, and everybody in a listed chat', () => {
    expect(judgeAccess(message(), { allowFrom: ['u1'] }).isAllowed).toBe(true)
    expect(judgeAccess(message({ from: 'u2' }), { allowFrom: ['u1'] }).isAllowed).toBe(false)
    expect(judgeAccess(message({ from: 'u2' }), { allowChats: ['c1'] }).isAllowed).toBe(true)
    expect(judgeAccess(message({ chat: { chatId: 'c2' } }), { allowChats: ['c1'] }).isAllowed).toBe(false)
  })

  it('allows everybody only where it is told to', () => {
    expect(judgeAccess(message(), { allowAll: true }).isAllowed).toBe(true)
    expect(judgeAccess(message(), { allowAll: false }).isAllowed).toBe(false)
  })

  it.each(['0u1', 'U1', 'ｕ1', ' u1', '@u1'])('does not take %j for the listed id', (from) => {
    expect(judgeAccess(message({ from }), { allowFrom: ['u1'] }).isAllowed).toBe(false)
  })

  it('answers in a chat of several people only what speaks to us, unless told otherwise', () => {
    const inGroup = { chat: { kind: 'group', chatId: 'g' } } as const
    expect(judgeAccess(message(inGroup), { allowAll: true })).toEqual({ isAllowed: false, reason: 'not-addressed' })
    expect(judgeAccess(message({ ...inGroup, mentions: 'us' }), { allowAll: true }).isAllowed).toBe(true)
    expect(judgeAccess(message(inGroup), { allowAll: true, requireMention: false }).isAllowed).toBe(true)
    expect(judgeAccess(message({ ...inGroup, mentions: 'others' }), { allowAll: true, requireMention: false }).isAllowed).toBe(false)
  })

  it('never answers another bot', () => {
    expect(judgeAccess(message({ isBot: true }), { allowAll: true })).toEqual({ isAllowed: false, reason: 'bot' })
  })
})
