import type { HookName, HookTap, ToolDirective } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { finishedCall, openBus, slackChat, toolCall, turnOf } from './hook-rig.js'

function openRig() {
  const clock = new FakeClock()
  return { clock, ...openBus({ clock, timeoutMs: 30_000 }) }
}

const message = {
  kind: 'message',
  id: '1',
  at: 0,
  chat: slackChat,
  messageId: '1',
  author: { id: 'a', isBot: false },
  text: 'hi',
  mentions: 'none',
} as const

describe('the answers of a hook', () => {
  // plugins 24
  it('to preToolCall: a block wins over an approval, the first of each', async () => {
    const { bus, on } = openRig()
    const order: string[] = []
    on('a', 'preToolCall', () => void order.push('watches'))
    on('b', 'preToolCall', () => ({ action: 'approve', message: 'sure?' }))
    on('c', 'preToolCall', () => ({ action: 'approve', message: 'really?' }))
    expect(await bus.preToolCall(toolCall())).toEqual({ action: 'ask', input: { x: 1 }, owner: 'b', message: 'sure?' })
    on('d', 'preToolCall', async () => ({ action: 'block', message: 'no' }))
    on('e', 'preToolCall', () => ({ action: 'block', message: 'never' }))
    on('f', 'preToolCall', () => void order.push('is asked all the same'))
    expect(await bus.preToolCall(toolCall())).toEqual({ action: 'block', message: 'no', owner: 'd' })
    expect(order).toEqual(['watches', 'watches', 'is asked all the same'])
  })

  // plugins 25
  it('to preToolCall: changes of the input add up, later keys win, and the next tap sees them', async () => {
    const { bus, on } = openRig()
    const seen: unknown[] = []
    on('a', 'preToolCall', () => ({ action: 'modify', input: { x: 2 } }))
    on('b', 'preToolCall', (call) => (seen.push(call.input), { action: 'modify', input: { y: 3 } }))
    on('c', 'preToolCall', (call) => void seen.push(call.input))
    expect(bus.preToolCall(toolCall())).toEqual({ action: 'run', input: { x: 2, y: 3 } })
    expect(seen).toEqual([{ x: 2 }, { x: 2, y: 3 }])
  })

  // plugins 28
  it('to transformAnswer: the first text that is not empty counts, and all are asked', async () => {
    const { bus, on } = openRig()
    const asked: string[] = []
    for (const [owner, answer] of [
      ['a', null],
      ['b', ''],
      ['c', 'A'],
      ['d', 'B'],
    ] as const) {
      on(owner, 'transformAnswer', () => (asked.push(owner), answer))
    }
    expect(await bus.transformAnswer({ turn: turnOf('t'), text: 'before' })).toBe('A')
    expect(asked).toEqual(['a', 'b', 'c', 'd'])
  })

  // plugins 29
  it('to preDispatch: the first action decides, and a rewrite touches the text of messages only', async () => {
    const { bus, on } = openRig()
    const first = on('a', 'preDispatch', ({ event }) =>
      event.kind === 'message' ? { action: 'rewrite', text: 'HI' } : { action: 'rewrite', text: 'x' },
    )
    on('b', 'preDispatch', () => ({ action: 'skip', reason: 'spam' }))
    expect(await bus.preDispatch({ event: message, chat: slackChat })).toEqual({ action: 'pass', event: { ...message, text: 'HI' } })
    const edit = { ...message, kind: 'edit' } as const
    expect(await bus.preDispatch({ event: edit, chat: slackChat })).toEqual({ action: 'pass', event: edit })
    first.dispose()
    expect(await bus.preDispatch({ event: message, chat: slackChat })).toEqual({ action: 'skip', reason: 'spam', owner: 'b' })
  })

  it('to turnStart are joined by blank lines; to transformToolResult the first text counts, even an empty one', async () => {
    const { bus, on } = openRig()
    for (const context of ['one', '  ', 'two']) on('a', 'turnStart', () => ({ context }))
    on('a', 'transformToolResult', () => '')
    on('a', 'transformToolResult', () => 'later')
    expect(await bus.turnStart({ turn: turnOf('t'), text: 'hi', isFirst: true })).toBe('one\n\ntwo')
    expect(await bus.transformToolResult(finishedCall())).toBe('')
  })

  // plugins 37
  it('to prefersFreshFinalStreaming: the first boolean of a tap for this platform, else none', () => {
    const { bus, on } = openRig()
    on('a', 'prefersFreshFinalStreaming', ({ text }) => text.includes('https://') || undefined, { platform: 'slack' })
    on('b', 'prefersFreshFinalStreaming', () => false, { platform: 'slack' })
    const about = { text: 'https://x', metadata: {}, chatId: '1' }
    expect(bus.prefersFreshFinalStreaming({ ...about, chat: slackChat })).toBe(true)
    expect(bus.prefersFreshFinalStreaming({ ...about, text: 'no link', chat: slackChat })).toBe(false)
    expect(bus.prefersFreshFinalStreaming({ ...about, chat: { ...slackChat, platform: 'telegram' } })).toBeUndefined()
  })

  it.each<[HookName, (rig: ReturnType<typeof openRig>) => unknown, unknown]>([
    ['preDispatch', ({ bus }) => bus.preDispatch({ event: message, chat: slackChat }), { action: 'pass', event: message }],
    ['turnStart', ({ bus }) => bus.turnStart({ turn: turnOf('t'), text: '', isFirst: true }), undefined],
    ['transformToolResult', ({ bus }) => bus.transformToolResult(finishedCall()), undefined],
    ['transformAnswer', ({ bus }) => bus.transformAnswer({ turn: turnOf('t'), text: '' }), undefined],
    ['preToolCall', ({ bus }) => bus.preToolCall(toolCall()), expect.objectContaining({ action: 'block', owner: 'wrong' })],
  ])('to %s of a wrong shape are a failure of that tap', async (name, call, answer) => {
    const rig = openRig()
    const wrong = [42, true, [], 'text', { action: 'explode' }, { action: 'modify', input: 'x' }, { action: 'rewrite' }, { context: 1 }, new Map()]
    const fitting = name === 'transformToolResult' || name === 'transformAnswer' ? 1 : 0
    for (const value of wrong) if (!fitting || typeof value !== 'string') rig.on('wrong', name, (() => value) as unknown as HookTap<typeof name>)
    expect(await call(rig)).toEqual(answer)
    expect(rig.healthOf('wrong', name)).toMatchObject({ state: 'degraded', failures: wrong.length - fitting, lastError: { name: 'TypeError' } })
  })

  it('of those who only watch are ignored', async () => {
    const { bus, on, healthOf } = openRig()
    on('a', 'postToolCall', (() => 'anything') as unknown as HookTap<'postToolCall'>)
    await bus.tell('postToolCall', finishedCall())
    expect(healthOf('a', 'postToolCall')).toMatchObject({ state: 'ok', calls: 1, failures: 0 })
  })

  it('come at once where no tap goes async', () => {
    const { bus, on } = openRig()
    expect(bus.preToolCall(toolCall())).toEqual({ action: 'run', input: { x: 1 } })
    on('a', 'preToolCall', () => ({ action: 'approve' }))
    expect(bus.preToolCall(toolCall())).toMatchObject({ action: 'ask' })
    on('a', 'sessionStart', () => {})
    expect(bus.tell('sessionStart', { sessionKey: 'k', chat: slackChat })).toBeUndefined()
  })
})

describe('the taps of a hook', () => {
  it('run by stage, then by registration, one after another', async () => {
    const { bus, on } = openRig()
    const order: string[] = []
    const note = (name: string) => async (): Promise<void> => {
      order.push(`${name} begins`)
      await Promise.resolve()
      order.push(`${name} ends`)
    }
    on('late', 'postToolCall', note('late'), { stage: 1 })
    on('first', 'postToolCall', note('first'))
    on('early', 'postToolCall', note('early'), { stage: -1 })
    on('second', 'postToolCall', note('second'))
    await bus.tell('postToolCall', finishedCall())
    expect(order).toEqual(['early', 'first', 'second', 'late'].flatMap((name) => [`${name} begins`, `${name} ends`]))
  })

  it('are called for their platform only, wherever the payload names it', async () => {
    const { bus, on } = openRig()
    const seen: string[] = []
    for (const name of ['sessionStart', 'postToolCall', 'adapterConnected'] as const) {
      on('slack', name, () => void seen.push(`slack ${name}`), { platform: 'slack' })
      on('telegram', name, () => void seen.push(`telegram ${name}`), { platform: 'telegram' })
    }
    await bus.tell('sessionStart', { sessionKey: 'k', chat: slackChat })
    await bus.tell('postToolCall', finishedCall())
    await bus.tell('adapterConnected', { adapter: 'work', platform: 'telegram', isReconnect: false })
    expect(seen).toEqual(['slack sessionStart', 'slack postToolCall', 'telegram adapterConnected'])
  })

  it('cannot change the payload for others', async () => {
    const { bus, on, healthOf } = openRig()
    on('vandal', 'postToolCall', (call) => void Object.assign(call, { name: 'other' }))
    const names: string[] = []
    on('b', 'postToolCall', (call) => void names.push(call.name))
    await bus.tell('postToolCall', finishedCall())
    expect(names).toEqual(['look'])
    expect(healthOf('vandal', 'postToolCall')).toMatchObject({ failures: 1 })
  })

  it('are gone once their registration is disposed, and the hook keeps nothing of them', async () => {
    const { bus, on } = openRig()
    let calls = 0
    const kept = on('kept', 'postToolCall', () => void calls++)
    const interceptors = (bus.hooks.postToolCall as unknown as { interceptors: unknown[] }).interceptors
    for (let round = 0; round < 100; round++) {
      const gone = on('gone', 'postToolCall', () => void (calls += 1000))
      gone.dispose()
      gone.dispose()
      bus.forget('gone')
    }
    await bus.tell('postToolCall', finishedCall())
    expect(calls).toBe(1)
    expect(bus.hooks.postToolCall.taps.map(({ name }) => name)).toEqual(['kept'])
    expect(interceptors).toHaveLength(1)
    expect([...bus.health().keys()]).toEqual(['kept'])
    kept.dispose()
    expect(bus.isTapped('postToolCall')).toBe(false)
  })

  it('are refused beyond 256 of one owner, and beyond 1000 of one hook; as many can be called', async () => {
    const { bus, on } = openRig()
    let calls = 0
    const refused: unknown[] = []
    for (let index = 0; index < 10_000; index++) {
      try {
        on('greedy', 'postToolCall', () => void calls++)
      } catch (error) {
        refused.push(error)
      }
    }
    expect(refused).toHaveLength(10_000 - 256)
    expect(refused[0]).toMatchObject({ code: 'value.invalid', message: expect.stringContaining('256 taps of greedy') })
    for (let owner = 0; owner < 3; owner++) for (let index = 0; index < 248; index++) on(`other-${owner}`, 'postToolCall', () => void calls++)
    expect(() => on('last', 'postToolCall', () => {})).toThrow('1000 taps onto the hook postToolCall')
    expect(bus.tell('postToolCall', finishedCall())).toBeUndefined()
    expect(calls).toBe(1000)
  })

  it('of a wrong shape are refused, whatever was wrong', () => {
    const { on } = openRig()
    expect(() => on('a', 'turnEnd', 'x' as unknown as HookTap<'turnEnd'>)).toThrow('the tap must be a function')
    expect(() => on('a', 'turnEnd', () => {}, { stage: Number.NaN })).toThrow('stage must be a number')
    expect(() => on('a', 'turnEnd', () => {}, { platform: '' })).toThrow('platform must be')
    expect(() => on('a', undefined as unknown as 'turnEnd', () => {})).toThrow('the hook must have a name')
  })

  it('of a hook that does not exist are kept, with a warning that names the likely one', () => {
    const { on, lines } = openRig()
    const kept = on('a', 'preToolcall' as HookName, () => undefined)
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', fields: { plugin: 'a', hook: 'preToolcall' } })])
    expect(lines[0]?.message).toContain('Did you mean preToolCall?')
    expect(() => on('a', 'constructor' as HookName, () => undefined)).not.toThrow()
    kept.dispose()
  })
})

describe('taps that are hung onto tapable directly', () => {
  it('of all three kinds answer like others, are isolated, and belong to their name', async () => {
    const { bus, lines, healthOf } = openRig()
    const block: ToolDirective = { action: 'block', message: 'raw' }
    bus.hooks.preToolCall.tap('sync', (call) => ({ action: 'modify', input: { sync: call.input['x'] } }))
    bus.hooks.preToolCall.tapPromise({ name: 'promise', stage: -1 }, async () => ({ action: 'modify', input: { x: 5 } }))
    bus.hooks.preToolCall.tapAsync('callback', (_call, _context, done) => {
      done(null, { action: 'modify', input: { callback: true } })
      done(new Error('a second time'))
      done(null, block)
    })
    expect(await bus.preToolCall(toolCall())).toEqual({ action: 'run', input: { x: 5, sync: 5, callback: true } })
    bus.hooks.postToolCall.tap('thrower', () => {
      throw new Error('broken')
    })
    await bus.tell('postToolCall', finishedCall())
    expect(healthOf('tapable:thrower', 'postToolCall')).toMatchObject({ state: 'degraded', lastError: { message: 'broken' } })
    expect(lines).toEqual([expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ plugin: 'tapable:thrower' }) })])
  })

  it('do not make an interceptor that throws a failure of the call; a hook that fails closed blocks', async () => {
    const { bus, on, lines } = openRig()
    let calls = 0
    on('a', 'preToolCall', async () => void calls++)
    bus.hooks.preToolCall.intercept({
      tap() {
        if (calls > 0) throw new Error('watching broke')
      },
    })
    on('b', 'preToolCall', () => void calls++)
    expect(await bus.preToolCall(toolCall())).toMatchObject({ action: 'block', owner: 'an interceptor' })
    bus.hooks.prefersFreshFinalStreaming.intercept({
      call() {
        throw new Error('watching broke')
      },
    })
    on('a', 'prefersFreshFinalStreaming', () => true)
    expect(bus.prefersFreshFinalStreaming({ text: '', metadata: {}, chatId: '1', chat: slackChat })).toBeUndefined()
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'warn'])
    expect(calls).toBe(1)
  })
})
