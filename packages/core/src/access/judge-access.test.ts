import type { Author, InboundEvent, InboundMessage, SharedOptions } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { accessMode, judgeAccess, type AccessSubject } from './judge-access.js'

const inDirect = { platform: 'test', kind: 'dm', chatId: 'c1' } as const
const inGroup = { platform: 'test', kind: 'group', chatId: 'g' } as const
const ann: Author = { id: 'u1', isBot: false }
const robot: Author = { id: 'b1', isBot: true }

function message(change: Partial<InboundMessage> = {}): InboundMessage {
  return { kind: 'message', id: 'e1', at: 0, chat: inDirect, messageId: 'm1', author: ann, text: 'hello', mentions: 'none', ...change }
}

/** What somebody can do in a chat, one of every kind. */
function deedsOf(author: Author, chat: AccessSubject['chat']): AccessSubject[] {
  const common = { id: 'e1', at: 0, chat, author }
  const events: InboundEvent[] = [
    { ...common, kind: 'message', messageId: 'm', text: 'x', mentions: 'us' },
    { ...common, kind: 'edit', messageId: 'm', text: 'x' },
    { ...common, kind: 'delete', messageIds: ['m'] },
    { ...common, kind: 'command', name: 'help', args: '' },
    { ...common, kind: 'choice', promptId: 'p', optionId: 'o' },
    { ...common, kind: 'reaction', messageId: 'm', emoji: '👍', isRemoved: false },
    { ...common, kind: 'notice', name: 'member-joined', data: {} },
  ]
  return [...events, { kind: 'native', chat, author }]
}

/** `allowed`, or why not. */
function judge(subject: AccessSubject, options: SharedOptions, paired: readonly string[] = []): string {
  const verdict = judgeAccess(subject, options, { isPaired: (id) => paired.includes(id) })
  return verdict.isAllowed ? 'allowed' : verdict.reason
}

const tierOf = (author: Author, options: SharedOptions) => {
  const verdict = judgeAccess(message({ author }), options, { isPaired: () => false })
  return verdict.isAllowed && verdict.tier
}

describe('who may speak', () => {
  it('is nobody while nothing is allowed', () => {
    expect(judge(message(), { unknownSenders: 'ignore' })).toBe('not-listed')
    expect(judge(message({ chat: inGroup, mentions: 'us' }), {})).toBe('not-listed')
  })

  it('is who is in a list, in any chat, and everybody in a listed chat', () => {
    expect(judge(message(), { allowFrom: ['u1'] })).toBe('allowed')
    expect(judge(message(), { admins: ['u1'] })).toBe('allowed')
    expect(judge(message(), { allowFrom: ['u2'] })).toBe('not-listed')
    expect(judge(message(), { allowChats: ['c1'] })).toBe('allowed')
    expect(judge(message(), { allowChats: ['c2'] })).toBe('not-listed')
  })

  it('is who has a listed role that the platform has verified', () => {
    expect(judge(message({ author: { ...ann, roles: ['crew', 'staff'] } }), { allowRoles: ['staff'] })).toBe('allowed')
    expect(judge(message({ author: { ...ann, roles: ['crew'] } }), { allowRoles: ['staff'] })).toBe('not-listed')
    expect(judge(message(), { allowRoles: ['staff'] })).toBe('not-listed')
  })

  it('is who was let in, also where a list names others', () => {
    expect(judge(message(), { allowFrom: ['u2'] }, ['u1'])).toBe('allowed')
  })

  it('is everybody only where the options say so', () => {
    expect(judge(message(), { allowAll: true })).toBe('allowed')
    expect(judge(message(), { allowAll: false, unknownSenders: 'ignore' })).toBe('not-listed')
  })

  it.each(['0u1', 'U1', 'ｕ1', ' u1', '@u1'])('is not %j where the list says u1', (id) => {
    expect(judge(message({ author: { id, name: 'u1', isBot: false } }), { allowFrom: ['u1'], admins: ['u1'] })).toBe('not-listed')
  })

  it('is the same for whatever is done, in a direct chat and in a group', () => {
    for (const chat of [inDirect, inGroup]) {
      for (const deed of deedsOf(ann, chat)) {
        expect([deed.kind, judge(deed, { allowFrom: ['u1'] })]).toEqual([deed.kind, 'allowed'])
        expect([deed.kind, judge(deed, { allowFrom: ['u2'] })]).toEqual([deed.kind, 'not-listed'])
      }
    }
  })

  it('judges what has no author by its chat, but takes from the platform that a chat has moved', () => {
    const notice = { kind: 'notice', id: 'e1', at: 0, chat: inGroup, data: {} } as const
    expect(judge({ ...notice, name: 'thread-created' }, { allowFrom: ['u1'] })).toBe('not-listed')
    expect(judge({ ...notice, name: 'thread-created' }, { allowChats: ['g'] })).toBe('allowed')
    expect(judge({ ...notice, name: 'chat-moved' }, { allowFrom: ['u1'] })).toBe('allowed')
    expect(judge({ ...notice, name: 'chat-moved', author: ann }, { allowFrom: ['u2'] })).toBe('not-listed')
  })
})

describe('who may get a code', () => {
  // adapters 31
  it('is who writes in a direct chat while no list is set; nobody gets a turn', () => {
    expect(judge(message(), {})).toBe('unpaired')
    expect(judge({ kind: 'command', name: 'start', chat: inDirect, author: ann }, {})).toBe('unpaired')
    expect(judge(message(), { admins: ['u2'] })).toBe('unpaired')
  })

  it('is nobody in a group, no bot, and not who only presses or reacts', () => {
    expect(judge(message({ chat: inGroup, mentions: 'us' }), {})).toBe('not-listed')
    expect(judge(message({ author: robot }), { allowBots: 'all' })).toBe('not-listed')
    const kinds = deedsOf(ann, inDirect).filter((deed) => judge(deed, {}) === 'unpaired')
    expect(kinds.map((deed) => deed.kind)).toEqual(['message', 'command'])
  })

  it('is nobody where a list is set, unless the options say so; an empty list is one', () => {
    expect(judge(message(), { allowFrom: ['u2'] })).toBe('not-listed')
    expect(judge(message(), { allowFrom: [] })).toBe('not-listed')
    expect(judge(message(), { allowRoles: ['r'] })).toBe('not-listed')
    expect(judge(message(), { allowFrom: ['u2'], unknownSenders: 'pair' })).toBe('unpaired')
  })
})

describe('what is answered in a chat of several people', () => {
  it('is what speaks to us, unless the options ask for all', () => {
    const words = (mentions: InboundMessage['mentions'], options: SharedOptions = {}) =>
      judge(message({ chat: inGroup, mentions }), { allowAll: true, ...options })
    expect(words('none')).toBe('not-addressed')
    expect(words('others')).toBe('not-addressed')
    expect(words('us')).toBe('allowed')
    expect(words('none', { requireMention: false })).toBe('allowed')
    expect(words('others', { requireMention: false })).toBe('not-addressed')
  })

  it('is in a direct chat everything', () => {
    expect(judge(message({ mentions: 'others' }), { allowAll: true })).toBe('allowed')
  })
})

describe('other bots', () => {
  it('are not heard, but where the options say so; then they have to be allowed like people', () => {
    const heard = (allowBots: SharedOptions['allowBots'], mentions: InboundMessage['mentions']) =>
      judge(message({ author: robot, chat: inGroup, mentions }), { allowChats: ['g'], requireMention: false, allowBots })
    expect([heard(undefined, 'us'), heard('none', 'us')]).toEqual(['bot', 'bot'])
    expect([heard('mentions', 'none'), heard('mentions', 'us')]).toEqual(['bot', 'allowed'])
    expect([heard('all', 'none'), heard('all', 'us')]).toEqual(['allowed', 'allowed'])
    expect(judge(message({ author: robot }), { allowFrom: ['u1'], allowBots: 'all' })).toBe('not-listed')
  })
})

describe('the tier of a caller', () => {
  it('is that of an admin for who is named as one', () => {
    const options = { allowAll: true, admins: ['u1'] }
    expect([tierOf(ann, options), tierOf({ id: 'u2', isBot: false }, options)]).toEqual(['admin', 'user'])
    expect(tierOf(ann, { allowAll: true })).toBe('ungated')
    expect(tierOf(ann, { allowAll: true, admins: [] })).toBe('ungated')
  })
})

describe('the mode that health shows', () => {
  it.each<[ReturnType<typeof accessMode>, SharedOptions]>([
    ['everybody', { allowAll: true, allowFrom: ['1'] }],
    ['pairing', {}],
    ['pairing', { admins: ['1'] }],
    ['pairing', { allowFrom: ['1'], unknownSenders: 'pair' }],
    ['listed', { allowFrom: ['1'] }],
    ['listed', { admins: ['1'], unknownSenders: 'ignore' }],
    ['nobody', { unknownSenders: 'ignore' }],
    ['nobody', { allowFrom: [] }],
  ])('is %s for %j', (mode, options) => {
    expect(accessMode(options)).toBe(mode)
  })
})
