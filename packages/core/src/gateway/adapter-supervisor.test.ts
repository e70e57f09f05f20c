import { adapterError, hideSecret, type Adapter, type AdapterContext, type AdapterFailure, type InboundEvent } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../kernel/index.js'
import { memoryStore } from '../store/memory/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createAdapterSupervisor, type SupervisorPorts } from './adapter-supervisor.js'

/** What the n-th adapter object does; default: it wires, connects, and disconnects at once. */
interface Script {
  connect?: (context: AdapterContext) => Promise<void>
  disconnect?: (hurry: AbortSignal) => Promise<void>
  stallAfterMs?: number
  members?: object
}

const unwell: AdapterFailure = { code: 'network', message: 'cut off', isRetryable: true }
const event = { kind: 'message', id: '1' } as InboundEvent
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function open(scripts: readonly Script[] = [], more: Partial<SupervisorPorts> & { isKnown?: boolean } = {}) {
  const clock = new FakeClock()
  const store = memoryStore()
  await store.open()
  if (more.isKnown) await store.execute('account.remember', { platform: 'made-up', account: 'bot', at: 0 })
  const contexts: AdapterContext[] = []
  const disconnected: number[] = []
  const logged: string[] = []
  const log = (_fields: object, message: string): void => void logged.push(message)
  let made = 0
  const create = (): Adapter => {
    const index = made++
    const script = scripts[Math.min(index, scripts.length - 1)] ?? {}
    const adapter: Adapter = {
      platform: 'made-up',
      account: 'bot',
      stallAfterMs: script.stallAfterMs,
      async connect(context) {
        contexts.push(context)
        if (script.connect) return script.connect(context)
        await context.wireNative({})
      },
      async disconnect(hurry) {
        disconnected.push(index)
        await script.disconnect?.(hurry)
      },
      capabilities: () => ({ text: { limit: 100, unit: 'utf16', dialect: 'plain' } }),
      send: async () => ({ status: 'sent', ids: [] }),
    }
    return Object.defineProperties(adapter, Object.getOwnPropertyDescriptors(script.members ?? {}))
  }
  const received: string[] = []
  let announced = 0
  const supervisor = createAdapterSupervisor({
    name: 'first',
    registration: { platform: 'made-up', options: {}, create },
    store,
    clock,
    logger: { debug: log, info: log, warn: log, error: log },
    redactor: createRedactor(),
    receive: async (account, { id }) => {
      received.push(`${account} ${id}`)
      return 'stored'
    },
    wiring: () => ({ wire: async () => {}, end: async () => {} }),
    commands: () => [],
    onConnected: async () => void announced++,
    onFailed: () => {},
    ...more,
  })
  const passes = async (ms: number): Promise<void> => {
    await clock.advance(ms)
    await soon()
  }
  return { supervisor, clock, store, contexts, disconnected, logged, received, passes, made: () => made, announced: () => announced }
}

const refuse = (failure: AdapterFailure) => ({ connect: () => Promise.reject(adapterError(failure)) })
const hang = (): Promise<void> => new Promise(() => {})

describe('connecting', () => {
  it('makes the adapter usable and says so', async () => {
    const { supervisor, announced } = await open()
    expect(supervisor.state().state).toBe('stopped')
    supervisor.start()
    expect(supervisor.adapter()).toBeUndefined()
    await soon()
    expect(supervisor.adapter()).toBe(supervisor.lastKnown())
    expect(supervisor.state()).toMatchObject({ state: 'connected', attempts: 0 })
    expect(announced()).toBe(1)
    await supervisor.stop()
  })

  it('is a first boot only for an account that the store does not know, and remembers it', async () => {
    const fresh = await open()
    fresh.supervisor.start()
    await soon()
    expect(fresh.contexts[0]?.isReconnect).toBe(false)
    expect(await fresh.store.execute('account.isKnown', { platform: 'made-up', account: 'bot' })).toBe(true)
    await fresh.supervisor.stop()

    const known = await open([], { isKnown: true })
    known.supervisor.start()
    await soon()
    expect(known.contexts[0]?.isReconnect).toBe(true)
    await known.supervisor.stop()
  })

  it('remembers the account of a first boot before the platform hears of it, so that no later start drops the queue', async () => {
    let wasKnown: boolean | undefined
    const store = memoryStore()
    await store.open()
    const connect = async (): Promise<void> => {
      wasKnown = await store.execute('account.isKnown', { platform: 'made-up', account: 'bot' })
    }
    const { supervisor, contexts } = await open([{ connect }], { store })
    supervisor.start()
    await soon()
    expect([wasKnown, contexts[0]?.isReconnect]).toEqual([true, false])
    await supervisor.stop()
  })

  it('keeps the waiting messages where the store could not remember the account, and tells it once connected', async () => {
    const store = memoryStore()
    await store.open()
    let failures = 1
    const failing: SupervisorPorts['store'] = {
      execute: (name, args) => (name === 'account.remember' && failures-- > 0 ? Promise.reject(new Error('disk')) : store.execute(name, args)),
    }
    const { supervisor, contexts } = await open([{}], { store: failing })
    supervisor.start()
    await soon()
    expect(contexts[0]?.isReconnect).toBe(true)
    expect(await store.execute('account.isKnown', { platform: 'made-up', account: 'bot' })).toBe(true)
    await supervisor.stop()
  })

  it('stays a first boot while no attempt succeeded, and is a reconnect from then on', async () => {
    const { supervisor, contexts, passes } = await open([refuse(unwell), {}])
    supervisor.start()
    await soon()
    await passes(30_000)
    contexts[1]?.fail(unwell)
    await soon()
    expect(contexts.map((context) => context.isReconnect)).toEqual([false, false, true])
    await supervisor.stop()
  })

  it('keeps the waiting messages where the store cannot tell', async () => {
    const store = { execute: () => Promise.reject(new Error('disk')) }
    const { supervisor, contexts } = await open([], { store })
    supervisor.start()
    await soon()
    expect(contexts[0]?.isReconnect).toBe(true)
    expect(supervisor.state().state).toBe('connected')
    await supervisor.stop()
  })

  it('gives up after 30 seconds, disconnects the object and tries again with a new one', async () => {
    const { supervisor, clock, contexts, disconnected, passes } = await open([{ connect: hang }, {}])
    supervisor.start()
    await soon()
    await passes(30_000)
    expect(contexts[0]?.signal.aborted).toBe(true)
    expect(disconnected).toEqual([0])
    expect(supervisor.state()).toMatchObject({ state: 'retrying', attempts: 1, nextAttemptAt: clock.now() + 30_000 })
    await passes(30_000)
    expect(supervisor.state()).toMatchObject({ state: 'connected', attempts: 0 })
    await supervisor.stop()
  })

  it('refuses an adapter that never wired its native object', async () => {
    const { supervisor, disconnected } = await open([{ connect: () => Promise.resolve() }])
    supervisor.start()
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'fatal', reason: expect.stringContaining('wireNative') })
    expect(disconnected).toEqual([0])
  })

  it.each([
    ['send', { send: undefined }],
    ['capabilities', { capabilities: undefined }],
    ['connect', { connect: undefined }],
    ['disconnect', { disconnect: undefined }],
    ['stream', { capabilities: () => ({ text: { limit: 1, unit: 'utf16', dialect: 'plain' }, stream: { kind: 'message' } }) }],
    ['capabilities', { capabilities: () => expect.unreachable('no such chat') }],
    ['platform', { platform: 'other' }],
    ['stallAfterMs', { stallAfterMs: 0 }],
    ['stallAfterMs', { stallAfterMs: Number.NaN }],
  ])('refuses an adapter whose %s is missing or wrong, and names it', async (member, members) => {
    const { supervisor } = await open([{ members }])
    supervisor.start()
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'fatal', reason: expect.stringContaining(member) })
  })
})

describe('failing', () => {
  it('waits 30, 60, 120, 240, 300, 300 seconds between failed attempts, and disconnects every object', async () => {
    // adapters 29
    const { supervisor, clock, disconnected, contexts, passes } = await open([{}, refuse(unwell)])
    supervisor.start()
    await soon()
    await passes(60_000)
    contexts[0]?.fail(unwell)
    await soon()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 6; attempt++) {
      const { nextAttemptAt = 0, attempts } = supervisor.state()
      expect(attempts).toBe(attempt)
      waits.push((nextAttemptAt - clock.now()) / 1000)
      if (attempt < 6) await passes(nextAttemptAt - clock.now())
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300])
    expect(disconnected).toEqual([0, 1, 2, 3, 4, 5, 6])
    await supervisor.stop()
  })

  it('is due again at once after a loss, which shows before a disconnect that hangs, and that is left behind', async () => {
    // adapters 28
    const { supervisor, clock, contexts, logged, made, passes } = await open([{ disconnect: hang }, {}])
    supervisor.start()
    await soon()
    contexts[0]?.fail(unwell)
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'retrying', attempts: 0, nextAttemptAt: clock.now(), reason: 'cut off' })
    expect(supervisor.adapter()).toBeUndefined()
    await passes(7000)
    expect(made()).toBe(2)
    expect(supervisor.state().state).toBe('connected')
    expect(logged).toContain('An adapter did not disconnect cleanly; it was left behind.')
    await supervisor.stop()
  })

  it('ends fatal on a failure that is not retryable, also of a reconnect', async () => {
    // adapters 30
    const revoked = { code: 'credentials', message: 'token revoked', isRetryable: false }
    const { supervisor, clock, contexts, disconnected } = await open([{}, refuse(revoked)])
    supervisor.start()
    await soon()
    contexts[0]?.fail(unwell)
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'fatal', reason: 'token revoked', nextAttemptAt: undefined })
    expect(disconnected).toEqual([0, 1])
    expect(clock.sleeping).toEqual([])
  })

  it('ends fatal when a connected adapter says so, or its sends do', async () => {
    const { supervisor, disconnected } = await open()
    supervisor.start()
    await soon()
    supervisor.fail({ code: 'credentials', message: 'token revoked', isRetryable: false })
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'fatal', reason: 'token revoked' })
    expect(disconnected).toEqual([0])
  })

  it('waits as long as the platform asks', async () => {
    const { supervisor, clock } = await open([refuse({ ...unwell, retryAfterMs: 7000 })])
    supervisor.start()
    await soon()
    expect(supervisor.state().nextAttemptAt).toBe(clock.now() + 7000)
    await supervisor.stop()
  })

  it('tries again after anything else that is thrown, also by create', async () => {
    const { supervisor, made, passes } = await open([{ connect: () => Promise.reject(new TypeError('odd')) }])
    supervisor.start()
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'retrying', reason: 'odd' })
    await passes(30_000)
    expect(made()).toBe(2)
    await supervisor.stop()

    const create = (): never => {
      throw new Error('no file')
    }
    const broken = await open([], { registration: { platform: 'made-up', options: {}, create } })
    broken.supervisor.start()
    await soon()
    expect(broken.supervisor.state()).toMatchObject({ state: 'retrying', reason: 'no file' })
    await broken.supervisor.stop()
  })

  it('survives what is thrown and cannot be read, by connect and by the members of an adapter', async () => {
    const oddities: Script[] = [
      { connect: () => Promise.reject(Object.create(null)) },
      {
        members: {
          get account() {
            throw new Error('odd account')
          },
        },
      },
    ]
    for (const script of oddities) {
      const { supervisor } = await open([script])
      supervisor.start()
      await soon()
      expect(supervisor.state().state).toBe('retrying')
      await supervisor.stop()
    }
  })

  it('climbs the ladder when connections keep breaking within seconds', async () => {
    const flapping: Script = {
      async connect(context) {
        await context.wireNative({})
        setImmediate(() => context.fail(unwell))
      },
    }
    const { supervisor, clock, made } = await open([flapping])
    supervisor.start()
    while (supervisor.state().attempts === 0) await soon()
    await soon()
    expect(made()).toBe(2)
    expect(clock.sleeping).toEqual([30_000])
    await supervisor.stop()
  })

  it('shows no secret in its reason', async () => {
    const redactor = createRedactor()
    redactor.add(hideSecret('planted-token'))
    const { supervisor } = await open([{ connect: () => Promise.reject(new Error('GET /botplanted-token/getMe')) }], { redactor })
    supervisor.start()
    await soon()
    expect(supervisor.state().reason).toBe('GET /bot[secret]/getMe')
    await supervisor.stop()
  })
})

describe('the connection', () => {
  it('shows what the adapter says of its health, also from before it was connected', async () => {
    const slowStart: Script = {
      async connect(context) {
        context.degraded('queue is long')
        await context.wireNative({})
      },
    }
    const { supervisor, contexts } = await open([slowStart])
    supervisor.start()
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'degraded', reason: 'queue is long' })
    expect(supervisor.adapter()).toBeDefined()
    contexts[0]?.alive()
    expect(supervisor.state()).toMatchObject({ state: 'connected', reason: undefined })
    contexts[0]?.degraded('slow')
    expect(supervisor.state()).toMatchObject({ state: 'degraded', reason: 'slow' })
    await supervisor.stop()
  })

  it('is taken for lost when the adapter shows no sign of life for as long as it says', async () => {
    const { supervisor, contexts, made, passes } = await open([{ stallAfterMs: 20_000 }])
    supervisor.start()
    await soon()
    await passes(15_000)
    contexts[0]?.alive()
    await passes(15_000)
    expect(made()).toBe(1)
    await passes(5000)
    expect(made()).toBe(2)
    expect(supervisor.state().state).toBe('connected')
    await supervisor.stop()
  })

  it('hands events on with the account, and refuses them once it has ended', async () => {
    const { supervisor, contexts, received } = await open()
    supervisor.start()
    await soon()
    expect(await contexts[0]?.receive(event)).toBe('stored')
    contexts[0]?.fail(unwell)
    await expect(contexts[0]?.receive(event)).rejects.toMatchObject({ code: 'stopped' })
    expect(received).toEqual(['bot 1'])
    await soon()
    contexts[0]?.degraded('late')
    contexts[0]?.fail({ ...unwell, isRetryable: false })
    expect(supervisor.state().state).toBe('connected')
    await supervisor.stop()
  })

  it('fails the attempt when the adapter reports a failure while it connects', async () => {
    const { supervisor } = await open([{ connect: (context) => (context.fail(unwell), hang()) }])
    supervisor.start()
    await soon()
    expect(supervisor.state()).toMatchObject({ state: 'retrying', attempts: 1, reason: 'cut off' })
    await supervisor.stop()
  })
})

describe('stopping', () => {
  it('leaves nothing: not while connected, connecting, waiting or before the start', async () => {
    for (const scripts of [[{}], [{ connect: hang }], [refuse(unwell)]]) {
      const { supervisor, clock, contexts, disconnected, announced } = await open(scripts)
      supervisor.start()
      await soon()
      const told = announced()
      await supervisor.stop()
      await supervisor.stop()
      expect(supervisor.state().state).toBe('stopped')
      expect(contexts.every((context) => context.signal.aborted)).toBe(true)
      expect(disconnected).toEqual([0])
      expect(clock.sleeping).toEqual([])
      expect(announced()).toBe(told)
    }
    const idle = await open()
    await idle.supervisor.stop()
    idle.supervisor.start()
    await soon()
    expect(idle.made()).toBe(0)
  })

  it('tells a slow disconnect to hurry after five seconds, and waits for it no longer than two more', async () => {
    let hurried = false
    const slow = (hurry: AbortSignal): Promise<void> => new Promise((resolve) => hurry.addEventListener('abort', () => ((hurried = true), resolve())))
    const { supervisor, passes, logged } = await open([{ disconnect: slow }])
    supervisor.start()
    await soon()
    const stopping = supervisor.stop()
    await soon()
    await passes(5000)
    await stopping
    expect(hurried).toBe(true)
    expect(logged).not.toContain('An adapter did not disconnect cleanly; it was left behind.')
  })
})
