import { hideSecret, type HookTap, type ToolDirective } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../testing/fake-clock.js'
import { finishedCall, openBus, slackChat, toolCall, turnOf } from './hook-rig.js'

function openRig(timeoutMs: number | 'none' = 30_000) {
  const clock = new FakeClock()
  return { clock, ...openBus({ clock, timeoutMs: timeoutMs === 'none' ? undefined : timeoutMs }) }
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const forever = (): Promise<never> => new Promise(() => {})

/** A promise that somebody else settles. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settled) => (resolve = settled))
  return { promise, resolve }
}

const unreadable = Object.defineProperty(new Error('x'), 'message', {
  get() {
    throw new Error('no')
  },
})
const proxied = new Proxy(
  {},
  {
    get() {
      throw new Error('no')
    },
    getPrototypeOf() {
      throw new Error('no')
    },
  },
)

/* oxlint-disable unicorn/no-thenable -- what a careless or hostile tap may answer with */
const misdeeds: readonly (readonly [string, () => unknown])[] = [
  ['throws an error', () => raise(new Error('broken'))],
  ['throws null', () => raise(null)],
  ['throws undefined', () => raise(undefined)],
  ['throws an error that cannot be read', () => raise(unreadable)],
  ['throws a proxy whose traps throw', () => raise(proxied)],
  ['rejects', () => Promise.reject(new Error('broken'))],
  ['rejects with null', () => Promise.reject(null)],
  ['answers with a thenable whose then throws', () => ({ then: () => raise(new Error('no then')) })],
  ['answers with an object whose then is a throwing getter', () => Object.defineProperty({}, 'then', { get: () => raise(new Error('no then')) })],
  [
    'answers with a thenable that rejects twice and resolves',
    () => ({
      then(resolve: (value: unknown) => void, reject: (error: unknown) => void) {
        reject(new Error('once'))
        reject(new Error('twice'))
        resolve('late')
      },
    }),
  ],
]

/* oxlint-enable unicorn/no-thenable */

function raise(error: unknown): never {
  throw error
}

describe('a tap that misbehaves', () => {
  it.each(misdeeds)('and %s is left out; what it was to decide is blocked', async (_what, misdeed) => {
    const { bus, on, healthOf } = openRig()
    const after: string[] = []
    on('bad', 'preToolCall', misdeed as HookTap<'preToolCall'>)
    on('bad', 'postToolCall', misdeed as HookTap<'postToolCall'>)
    on('bad', 'prefersFreshFinalStreaming', misdeed as unknown as HookTap<'prefersFreshFinalStreaming'>)
    on('good', 'preToolCall', () => void after.push('preToolCall'))
    on('good', 'postToolCall', () => void after.push('postToolCall'))
    on('good', 'prefersFreshFinalStreaming', () => true)
    expect(await bus.preToolCall(toolCall())).toMatchObject({ action: 'block', owner: 'bad', message: expect.stringContaining('preToolCall of bad') })
    await bus.tell('postToolCall', finishedCall())
    expect(bus.prefersFreshFinalStreaming({ text: '', metadata: {}, chatId: '1', chat: slackChat })).toBe(true)
    expect(after).toEqual(['preToolCall', 'postToolCall'])
    expect(healthOf('bad', 'preToolCall')).toMatchObject({ state: 'degraded', failures: 1, pending: 0 })
  })

  it('is well again after a call that goes well', async () => {
    const { bus, on, healthOf } = openRig()
    let isBroken = true
    on('a', 'postToolCall', () => (isBroken ? raise(new Error('once')) : undefined))
    await bus.tell('postToolCall', finishedCall())
    isBroken = false
    await bus.tell('postToolCall', finishedCall())
    expect(healthOf('a', 'postToolCall')).toMatchObject({
      state: 'ok',
      calls: 2,
      failures: 1,
      consecutiveFailures: 0,
      lastError: { message: 'once' },
    })
  })

  // plugins 27
  it('in the same way a hundred times is warned of once, and then told to those who debug', async () => {
    const { bus, on, lines } = openRig()
    on('a', 'postToolCall', () => raise(new Error('the same')))
    for (let index = 0; index < 100; index++) await bus.tell('postToolCall', finishedCall())
    expect(lines.filter(({ level }) => level === 'warn')).toHaveLength(1)
    expect(lines.filter(({ level }) => level === 'debug')).toHaveLength(99)
    expect(lines[0]?.fields).toMatchObject({ plugin: 'a', hook: 'postToolCall', error: { message: 'the same' } })
  })

  it('shows no secret and at most 200 characters in the health', async () => {
    const { bus, on, healthOf, redactor } = openRig()
    redactor.add(hideSecret('planted-secret'))
    on('a', 'postToolCall', () => raise(new Error(`planted-secret ${'x'.repeat(1000)}`)))
    await bus.tell('postToolCall', finishedCall())
    const { lastError } = healthOf('a', 'postToolCall') ?? {}
    expect(lastError?.message).toMatch(/^\[secret\] x+$/)
    expect(lastError?.message).toHaveLength(200)
  })
})

describe('a tap that hangs', () => {
  // plugins 26
  it('is given up after 30 s and left out for 60 s; preToolCall blocks all the while', async () => {
    const { bus, clock, on, healthOf } = openRig()
    let calls = 0
    let signal: AbortSignal | undefined
    on('slow', 'preToolCall', (_call, context) => {
      calls++
      signal = context.signal
      return calls === 1 ? forever() : undefined
    })
    const verdict = bus.preToolCall(toolCall())
    expect(await clock.slept()).toBe(30_000)
    expect(healthOf('slow', 'preToolCall')).toMatchObject({ state: 'ok', pending: 1 })
    await clock.advance(30_000)
    expect(await verdict).toMatchObject({ action: 'block', owner: 'slow' })
    expect(signal?.aborted).toBe(true)
    expect(healthOf('slow', 'preToolCall')).toMatchObject({ state: 'suppressed', timeouts: 1, failures: 1, suppressedUntil: clock.now() + 60_000 })
    await clock.advance(59_999)
    expect(bus.preToolCall(toolCall('other'))).toMatchObject({ action: 'block', owner: 'slow' })
    expect(calls).toBe(1)
    await clock.advance(1)
    expect(bus.preToolCall(toolCall('other'))).toEqual({ action: 'run', input: { x: 1 } })
  })

  it('is left out where nothing depends on it, and what it says later is ignored', async () => {
    const { bus, clock, on, healthOf } = openRig()
    const late = deferred<string>()
    on('slow', 'transformAnswer', () => late.promise)
    on('quick', 'transformAnswer', () => 'quick')
    const answer = bus.transformAnswer({ turn: turnOf('t'), text: 'x' })
    await clock.slept()
    await clock.advance(30_000)
    expect(await answer).toBe('quick')
    late.resolve('late')
    await settle()
    expect(healthOf('slow', 'transformAnswer')).toMatchObject({ pending: 0, failures: 1, timeouts: 1 })
  })

  it('is not asked about the same call again while it works on it', async () => {
    const { bus, clock, on } = openRig()
    const asked: string[] = []
    on('slow', 'preToolCall', (call) => {
      asked.push(call.callId)
      return forever()
    })
    void bus.preToolCall(toolCall('one'))
    await clock.slept()
    await clock.advance(30_000)
    await clock.advance(60_000)
    expect(bus.preToolCall(toolCall('one'))).toMatchObject({ action: 'block' })
    void bus.preToolCall(toolCall('one', turnOf('another turn')))
    expect(asked).toEqual(['one', 'one'])
  })

  it('is not called while three of its calls go on beyond their time', async () => {
    const { bus, clock, on } = openRig()
    const late = deferred<ToolDirective>()
    let calls = 0
    on('slow', 'preToolCall', () => (calls++, late.promise))
    for (const id of ['one', 'two', 'three']) {
      void bus.preToolCall(toolCall(id))
      await clock.slept()
      await clock.advance(90_000)
    }
    expect(bus.preToolCall(toolCall('four'))).toMatchObject({ action: 'block', message: expect.stringContaining('3 of its calls') })
    expect(calls).toBe(3)
    late.resolve({ action: 'approve' })
    await settle()
    expect(await bus.preToolCall(toolCall('five'))).toMatchObject({ action: 'ask' })
  })

  it('holds nobody but its own call: others are judged meanwhile', async () => {
    const { bus, on } = openRig()
    const gates = [
      deferred<ToolDirective>(),
      deferred<ToolDirective>(),
      deferred<ToolDirective>(),
      deferred<ToolDirective>(),
      deferred<ToolDirective>(),
    ]
    on('careful', 'preToolCall', (call) => gates[Number(call.callId)]?.promise)
    const verdicts = gates.map((_, index) => bus.preToolCall(toolCall(String(index))))
    for (const gate of gates) gate.resolve({ action: 'block', message: 'no' })
    for (const verdict of verdicts) expect(await verdict).toEqual({ action: 'block', message: 'no', owner: 'careful' })
  })

  it('is given up when its turn ends, and that is no fault of it', async () => {
    const { bus, clock, on, healthOf } = openRig()
    const end = new AbortController()
    on('slow', 'preToolCall', forever)
    const verdict = bus.preToolCall(toolCall('one', turnOf('t', end)))
    await clock.slept()
    end.abort()
    expect(await verdict).toMatchObject({ action: 'block' })
    expect(clock.sleeping).toEqual([])
    expect(healthOf('slow', 'preToolCall')).toMatchObject({ state: 'ok', failures: 0 })
  })

  it('has five seconds for the news of adapters, ten minutes before a command, and no limit where the composer set none', async () => {
    const { bus, clock, on } = openRig()
    for (const name of ['adapterConnected', 'preCommand'] as const) on('slow', name, forever)
    const told = bus.tell('adapterConnected', { adapter: 'a', platform: 'slack', isReconnect: false })
    expect(await clock.slept()).toBe(5000)
    await clock.advance(5000)
    await told
    const author = { id: 'a', isBot: false }
    void bus.tell('preCommand', { name: 'ping', args: '', author, chat: slackChat, sessionKey: 'k' })
    expect(clock.sleeping).toEqual([600_000])
    const unlimited = openRig('none')
    unlimited.on('slow', 'postToolCall', forever)
    void unlimited.bus.tell('postToolCall', finishedCall())
    expect(unlimited.clock.sleeping).toEqual([])
  })
})

describe('a tap that is taken out', () => {
  // plugins 38
  it('while it runs is not waited for, its late answer is ignored, and the health says that it is gone', async () => {
    const { bus, clock, on, healthOf, lines } = openRig()
    const late = deferred<string>()
    const registered = on('leaving', 'transformAnswer', () => late.promise)
    const answer = bus.transformAnswer({ turn: turnOf('t'), text: 'x' })
    await clock.slept()
    registered.dispose()
    expect(await answer).toBeUndefined()
    late.resolve('late')
    await settle()
    expect(healthOf('leaving', 'transformAnswer')).toMatchObject({ state: 'disposed', calls: 1, failures: 0 })
    expect(clock.sleeping).toEqual([])
    expect(lines).toEqual([])
  })

  it('while it decides blocks the call that it was to decide, and is not asked again', async () => {
    const { bus, clock, on } = openRig()
    const first = on('a', 'preToolCall', forever)
    const second = on('b', 'preToolCall', () => ({ action: 'approve' }))
    const verdict = bus.preToolCall(toolCall())
    await clock.slept()
    second.dispose()
    first.dispose()
    expect(await verdict).toMatchObject({ action: 'block', owner: 'a' })
    expect(bus.preToolCall(toolCall())).toEqual({ action: 'run', input: { x: 1 } })
  })
})

describe('a tap of streamDelta', () => {
  const delta = (text: string) => ({ turn: turnOf('t'), kind: 'text', text }) as const

  it('gets what the model writes later, one after another, and nobody waits for it', async () => {
    const { bus, on } = openRig()
    const gate = deferred<void>()
    const seen: string[] = []
    on('slow', 'streamDelta', async ({ text }) => {
      seen.push(text)
      await gate.promise
    })
    for (const text of ['a', 'b', 'c']) bus.streamDelta(delta(text))
    expect(seen).toEqual([])
    await settle()
    expect(seen).toEqual(['a'])
    gate.resolve()
    await settle()
    expect(seen).toEqual(['a', 'b', 'c'])
  })

  it('that is slow loses the oldest beyond 256, and they are counted', async () => {
    const { bus, on, healthOf } = openRig()
    const gate = deferred<void>()
    const seen: string[] = []
    on('slow', 'streamDelta', async ({ text }) => {
      seen.push(text)
      await gate.promise
    })
    bus.streamDelta(delta('first'))
    await settle()
    for (let index = 0; index < 300; index++) bus.streamDelta(delta(String(index)))
    gate.resolve()
    await settle()
    expect(seen).toHaveLength(257)
    expect(seen[1]).toBe('44')
    expect(healthOf('slow', 'streamDelta')).toMatchObject({ dropped: 44, calls: 257 })
  })

  it('that throws or hangs neither stops the others nor gets more than its time', async () => {
    const { bus, clock, on, healthOf } = openRig()
    const seen: string[] = []
    on('hanging', 'streamDelta', forever)
    on('broken', 'streamDelta', () => raise(null))
    on('good', 'streamDelta', ({ text }) => void seen.push(text))
    bus.streamDelta(delta('a'))
    bus.streamDelta(delta('b'))
    expect(await clock.slept()).toBe(30_000)
    await clock.advance(30_000)
    expect(seen).toEqual(['a', 'b'])
    expect(healthOf('broken', 'streamDelta')).toMatchObject({ failures: 2 })
    expect(healthOf('hanging', 'streamDelta')).toMatchObject({ state: 'suppressed', timeouts: 1, calls: 1 })
  })

  it('that is taken out gets nothing of what still waits', async () => {
    const { bus, on } = openRig()
    const seen: string[] = []
    const registered = on('leaving', 'streamDelta', ({ text }) => void seen.push(text))
    bus.streamDelta(delta('a'))
    registered.dispose()
    await settle()
    expect(seen).toEqual([])
  })
})
