import { describe, expect, it } from 'vitest'
import { profileOfInstance, sessionKey, type SessionSource } from './session-key.js'

describe('sessionKey', () => {
  // state 15
  it.each<[string, SessionSource, string]>([
    ['a direct chat', { platform: 'telegram', kind: 'dm', chatId: '12345', userId: '12345' }, 'agent:main:telegram:dm:12345'],
    [
      'a topic in a direct chat',
      { platform: 'telegram', kind: 'dm', chatId: '12345', threadId: '7', userId: '12345' },
      'agent:main:telegram:dm:12345:7',
    ],
    ['a direct chat without an id', { platform: 'signal', kind: 'dm', userId: 'u' }, 'agent:main:signal:dm:u'],
    ['a person in a group', { platform: 'telegram', kind: 'group', chatId: '-100', userId: 'u' }, 'agent:main:telegram:group:-100:u'],
    [
      'a message that opens a thread',
      { platform: 'discord', kind: 'channel', scopeId: 'G1', chatId: 'C1', prospectiveThreadId: '99', userId: 'u' },
      'agent:main:discord:thread:C1:99',
    ],
    [
      'a channel of a workspace, in a profile',
      { profile: 'ops', platform: 'slack', kind: 'channel', scopeId: 'T1', chatId: 'C1', userId: 'u' },
      'agent:ops:slack:channel:T1:C1:u',
    ],
    [
      'ids that contain colons',
      { platform: 'webhook', kind: 'webhook', chatId: 'webhook:r:d', userId: 'webhook:r' },
      'agent:main:webhook:webhook:webhook:r:d:webhook:r',
    ],
  ])('names %s', (_what, source, key) => {
    expect(sessionKey(source)).toBe(key)
  })

  // state 16
  it('keeps profiles apart, and leaves the default one without a name', () => {
    const chat = { platform: 'telegram', kind: 'dm', chatId: '1', userId: '1' }
    expect(sessionKey({ ...chat, profile: 'default' })).toBe('agent:main:telegram:dm:1')
    expect(sessionKey({ ...chat, profile: 'ops' })).toBe('agent:ops:telegram:dm:1')
    expect(sessionKey(chat)).toBe('agent:main:telegram:dm:1')
    expect(sessionKey({ ...chat, profile: 'main' })).toBe('agent:main~:telegram:dm:1')
  })

  // state 17
  it('leads from the message that opens a thread to the answers in it', () => {
    const opening = sessionKey({ platform: 'discord', kind: 'channel', chatId: 'C1', prospectiveThreadId: '99', userId: 'u' })
    const answer = sessionKey({ platform: 'discord', kind: 'thread', chatId: 'C1', threadId: '99', userId: 'v' })
    const other = sessionKey({ platform: 'discord', kind: 'thread', chatId: 'C1', threadId: '100', userId: 'v' })
    expect(answer).toBe(opening)
    expect(other).not.toBe(opening)
  })

  it('never takes a thread for a person, whatever kind the adapter calls the chat', () => {
    for (const kind of ['group', 'channel', 'thread', 'forum']) {
      const inThread = sessionKey({ platform: 'p', kind, chatId: 'C', threadId: '5', userId: 'u' })
      const beside = ['group', 'channel', 'thread', 'forum'].map((other) => sessionKey({ platform: 'p', kind: other, chatId: 'C', userId: '5' }))
      expect(beside).not.toContain(inThread)
    }
  })

  it('shares a group, and divides a thread, where the rules say so', () => {
    const group = { platform: 'telegram', kind: 'group', chatId: '-1', userId: 'u' }
    expect(sessionKey(group, { isPerUserInGroups: false })).toBe('agent:main:telegram:group:-1')
    const thread = { ...group, kind: 'forum', threadId: '5' }
    expect(sessionKey(thread)).toBe('agent:main:telegram:forum:-1:5')
    expect(sessionKey(thread, { isPerUserInThreads: true })).toBe('agent:main:telegram:forum:-1:5:u')
    expect(sessionKey(thread, { isPerUserInThreads: true, isPerUserInGroups: false })).toBe('agent:main:telegram:forum:-1:5')
  })
})

describe('profileOfInstance', () => {
  it('gives two bots of one platform different sessions, whatever they are called', () => {
    const chat = { platform: 'telegram', kind: 'dm', chatId: '1', userId: '1' }
    const keys = ['telegram', 'main', 'default', 'ops'].map((name) => sessionKey({ ...chat, profile: profileOfInstance(name, 'telegram') }))
    expect(new Set(keys).size).toBe(4)
    expect(keys[0]).toBe('agent:main:telegram:dm:1')
  })
})
