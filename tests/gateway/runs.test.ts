import { grant, memoryStore, type StateStore, type StoreCommandName } from '@hermes/core'
import { FakeClock, ScriptedModel } from '@hermes/core/testing'
import { definePlugin, HermesError, type Grant, type HostApi, type Plugin, type TurnRef } from '@hermes/plugin-sdk'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { PaperHouses, type HouseChange } from './paper-house.js'
import { until } from './paper-platform.js'
import { eventsOf, openQuestion, payTool } from './run-rig.js'

const houses = new PaperHouses()
const sessionKey = 'agent:main:paper:dm:c1'

afterEach(() => houses.close())
afterAll(() => houses.dispose())

/** A house with a plugin that asks for these rights and is given them, and what it was handed. */
async function openWith(grants: readonly Grant[], change: HouseChange = {}) {
  const house = await houses.open(change)
  const { host, plugin } = spy('runner', grants)
  const joined = await house.gateway.use(grant(plugin, grants))
  return { ...house, host: host(), joined }
}

function spy(id: string, grants: readonly Grant[]): { readonly plugin: Plugin; readonly host: () => HostApi } {
  let host: HostApi | undefined
  const plugin = definePlugin({ id, grants, register: (api) => void (host = api) })
  return {
    plugin,
    host() {
      if (!host) throw new Error('the plugin did not register')
      return host
    },
  }
}

/** A house where turns wait at their start until they are released. */
async function openHolding(change: HouseChange = {}) {
  const held = gate()
  const holding = definePlugin({ id: 'holding', register: (api) => void api.on('turnStart', () => held.opened.then(() => undefined)) })
  const house = await houses.open({ ...change, plugins: [holding] })
  return { ...house, release: () => held.open() }
}

describe('a run of a gateway', () => {
  it('is answered apart from all chats, and its conversation ends with it', async () => {
    const store = memoryStore()
    const { gateway, paper } = await houses.open({ options: { store } })
    const ends: unknown[] = []
    gateway.hooks.turnEnd.tap('test', ({ turn, state }) => void ends.push({ id: turn.id, chat: turn.chat, sessionKey: turn.sessionKey, state }))
    const run = gateway.run({ input: 'hello' })
    expect(await run.result).toMatchObject({ status: 'completed', text: expect.stringContaining('hello'), steps: 1 })
    const turn = await run.turn
    expect(turn).toMatchObject({ epoch: 1, sessionKey: undefined, chat: undefined })
    const events = await eventsOf(run)
    expect(events[0]).toEqual({ type: 'turn-start', turn: turn.id, epoch: 1 })
    expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(1)
    await until(() => ends.length === 1)
    expect(ends).toEqual([{ id: turn.id, state: 'settled' }])
    expect(paper.shown).toBe(0)
    expect(await store.execute('turn.claim', { lane: turn.lane, turn: 'next', at: 0 })).toBeUndefined()
  })

  it('is the next turn of a session, whose chat does not see it and whose model remembers it', async () => {
    const { gateway, paper, release, model } = await openHolding()
    await paper.say('c1', 'first')
    await until(() => gateway.health().turns.running === 1)
    const order: string[] = []
    gateway.hooks.turnEnd.tap('test', ({ outcome }) => void order.push(outcome.text))
    const run = gateway.run({ input: 'second', sessionKey })
    await paper.say('c1', 'third')
    release()
    expect((await run.result).status).toBe('completed')
    expect(await run.turn).toMatchObject({ sessionKey, chat: { chatId: 'c1', adapter: 'paper' } })
    await until(() => order.length === 3)
    expect(order.map((text) => /first|second|third/.exec(text)?.[0])).toEqual(['first', 'second', 'third'])
    await until(() => paper.shown === 2)
    expect(paper.answers('c1').join()).not.toContain('second')
    expect(JSON.stringify(model.calls.at(-1)?.prompt)).toContain('second')
  })

  it('is asked for before the start, and answered behind it', async () => {
    const { gateway } = houses.build()
    const run = gateway.run({ input: 'early' })
    await gateway.start()
    expect((await run.result).status).toBe('completed')
  })

  it('is refused without a session, by a full one, and with a signal that is aborted; all three promises say so', async () => {
    const { gateway, paper, release } = await openHolding({ options: { limits: { waitingPerConversation: 1 } } })
    const aborted = AbortSignal.abort('gone')
    const runs = [gateway.run({ input: 'x', sessionKey: 'agent:main:paper:dm:nobody' }), gateway.run({ input: 'x', signal: aborted })]
    await paper.say('c1', 'first')
    await until(() => gateway.health().turns.running === 1)
    await paper.say('c1', 'second')
    runs.push(gateway.run({ input: 'x', sessionKey }))
    const reasons = ['no-session', 'aborted', 'full']
    for (const [index, run] of runs.entries()) {
      const refusal = { code: 'run.refused', detail: { reason: reasons[index] } }
      await expect(run.result).rejects.toMatchObject(refusal)
      await expect(run.turn).rejects.toMatchObject(refusal)
      await expect(eventsOf(run)).rejects.toMatchObject(refusal)
      expect(run.answer('q', { kind: 'approved' })).toBe(false)
    }
    release()
    await until(() => paper.shown === 2)
  })

  it('is refused beyond a thousand of one caller, and one is taken for each that has ended', async () => {
    const { gateway } = await houses.open({ model: new ScriptedModel(() => [{ hang: true }]) })
    const caller = new AbortController()
    const left = gateway.run({ input: 'left', signal: caller.signal })
    for (let index = 1; index < 1000; index++) gateway.run({ input: `run ${index}` })
    const full = { code: 'run.refused', detail: { reason: 'full' } }
    await expect(gateway.run({ input: 'one more' }).result).rejects.toMatchObject(full)
    caller.abort()
    await left.result
    gateway.run({ input: 'one more' })
    await expect(gateway.run({ input: 'and another' }).result).rejects.toMatchObject(full)
  })

  it('is refused with `stopped` once the gateway has stopped', async () => {
    const { gateway } = await houses.open()
    await gateway.stop()
    await expect(gateway.run({ input: 'late' }).result).rejects.toMatchObject({ code: 'stopped' })
  })

  it.each([
    [null],
    [{}],
    [{ input: ' ' }],
    [{ input: 'x'.repeat(100_001) }],
    [{ input: 'x', sessionKey: '' }],
    [{ input: 'x', key: '' }],
    [{ input: 'x', key: 'k'.repeat(257) }],
    [{ input: 'x', signal: {} }],
  ])('is refused at once in a wrong shape, case %#', async (request) => {
    const { gateway } = houses.build()
    expect(() => gateway.run(request as never)).toThrow(
      expect.objectContaining({ code: 'value.invalid', detail: { where: 'gateway.run()', issues: [expect.any(String)] } }),
    )
  })
})

describe('a run with a key', () => {
  it('is one run for all who request it while it is open, and its outcome for who comes later', async () => {
    const { gateway, model } = await houses.open()
    const runs = ['one', 'two', 'three'].map((input) => gateway.run({ input, key: 'same' }))
    const outcomes = await Promise.all(runs.map(({ result }) => result))
    expect(outcomes.map(({ text }) => text)).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('one')))
    expect((await gateway.run({ input: 'four', key: 'same' }).result).text).toBe(outcomes[0]?.text)
    expect(model.calls).toHaveLength(1)
  })

  it('is not ended by a request that comes with an aborted signal, and ended for all by one whose signal aborts', async () => {
    const { gateway } = await houses.open({ model: new ScriptedModel(() => [{ hang: true }]) })
    const caller = new AbortController()
    const [first, second] = [gateway.run({ input: 'x', key: 'k' }), gateway.run({ input: 'x', key: 'k', signal: caller.signal })]
    const late = gateway.run({ input: 'x', key: 'k', signal: AbortSignal.abort() })
    await expect(late.result).rejects.toMatchObject({ detail: { reason: 'aborted' } })
    expect((await first.turn).signal.aborted).toBe(false)
    caller.abort()
    expect(await first.result).toMatchObject({ status: 'interrupted', stop: { kind: 'disconnect' } })
    expect(await second.result).toEqual(await first.result)
  })

  it('is another one when the first was refused, or taken back before its turn', async () => {
    const { gateway, paper, release } = await openHolding()
    await expect(gateway.run({ input: 'x', key: 'k', sessionKey }).result).rejects.toMatchObject({ detail: { reason: 'no-session' } })
    await paper.say('c1', 'first')
    await until(() => gateway.health().turns.running === 1)
    const caller = new AbortController()
    const left = gateway.run({ input: 'x', key: 'k', sessionKey, signal: caller.signal })
    caller.abort()
    expect((await left.result).status).toBe('interrupted')
    const run = gateway.run({ input: 'again', key: 'k', sessionKey })
    release()
    expect((await run.result).text).toContain('again')
  })
})

function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open: () => open() }
}

/** A store whose answers to one command are held back until they are released. */
function holdAnswers(inner: StateStore, held: StoreCommandName): { readonly store: StateStore; readonly asked: () => boolean; release(): void } {
  let isAsked = false
  const answers = gate()
  return {
    store: {
      ...around(inner),
      async execute(name, ...rest) {
        const answer = await inner.execute(name, ...rest)
        if (name !== held) return answer
        isAsked = true
        await answers.opened
        return answer
      },
    },
    asked: () => isAsked,
    release: () => answers.open(),
  }
}

function around(inner: StateStore): StateStore {
  return {
    engine: inner.engine,
    open: () => inner.open(),
    execute: (...command) => inner.execute(...command),
    health: () => inner.health(),
    close: () => inner.close(),
  }
}

describe('a run whose end the store does not take', () => {
  it('lives once more, and its caller hears one end', async () => {
    const clock = new FakeClock()
    const inner = memoryStore()
    let refusals = 1
    const store: StateStore = {
      ...around(inner),
      execute: (name, ...rest) =>
        name === 'turn.end' && refusals-- > 0
          ? Promise.reject(new HermesError('store.failed', 'No.', { command: name, reason: 'a test' }))
          : inner.execute(name, ...rest),
    }
    const { gateway } = await houses.open({ options: { store, clock } })
    const run = gateway.run({ input: 'hello' })
    const first = await run.turn
    await until(() => clock.sleeping.includes(1000))
    await clock.advance(1000)
    expect((await run.result).status).toBe('completed')
    const events = await eventsOf(run)
    expect(events.flatMap((event) => (event.type === 'turn-start' ? [event] : []))).toEqual([
      { type: 'turn-start', turn: first.id, epoch: 1 },
      { type: 'turn-start', turn: first.id, epoch: 2 },
    ])
    expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(1)
  })
})

describe('a run that nobody wants any more', () => {
  it('ends as interrupted by a disconnect, abandoned', async () => {
    const { gateway } = await houses.open({ model: new ScriptedModel(() => [{ hang: true }]) })
    const states: unknown[] = []
    gateway.hooks.turnEnd.tap('test', ({ state, outcome }) => void states.push([state, outcome.stop]))
    const caller = new AbortController()
    const run = gateway.run({ input: 'x', signal: caller.signal })
    const turn: TurnRef = await run.turn
    caller.abort()
    expect(await run.result).toMatchObject({ status: 'interrupted', stop: { kind: 'disconnect', abandons: true } })
    expect(turn.signal.reason).toEqual({ kind: 'disconnect', abandons: true })
    await until(() => states.length === 1)
    expect(states).toEqual([['abandoned', { kind: 'disconnect', abandons: true }]])
  })

  it('is taken out of the lane where it waits, and what waits behind it goes on', async () => {
    const { gateway, paper, release } = await openHolding()
    await paper.say('c1', 'first')
    await until(() => gateway.health().turns.running === 1)
    const caller = new AbortController()
    const run = gateway.run({ input: 'second', sessionKey, signal: caller.signal })
    await paper.say('c1', 'third')
    caller.abort()
    expect(await run.result).toMatchObject({ status: 'interrupted', steps: 0, stop: { kind: 'disconnect' } })
    await expect(run.turn).rejects.toMatchObject({ code: 'stopped' })
    expect(await eventsOf(run)).toEqual([])
    release()
    await until(() => paper.shown === 2)
    expect(paper.answers('c1')[1]).toContain('third')
  })

  it('ends also where it was only just asked for', async () => {
    const { gateway } = await houses.open({ model: new ScriptedModel(() => [{ hang: true }]) })
    for (let ticks = 0; ticks < 12; ticks++) {
      const caller = new AbortController()
      const run = gateway.run({ input: 'x', signal: caller.signal })
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
      caller.abort()
      expect(await run.result).toMatchObject({ status: 'interrupted', stop: { kind: 'disconnect' } })
    }
    await until(() => gateway.health().turns.running === 0)
  })

  it('hears of it also where the store knew before its turn was open here', async () => {
    const claims = holdAnswers(memoryStore(), 'turn.claim')
    const { gateway, model } = await houses.open({ options: { store: claims.store } })
    const caller = new AbortController()
    const run = gateway.run({ input: 'x', signal: caller.signal })
    await until(claims.asked)
    caller.abort()
    await new Promise((resolve) => setImmediate(resolve))
    claims.release()
    expect(await run.result).toMatchObject({ status: 'interrupted', stop: { kind: 'disconnect' } })
    expect(model.calls).toEqual([])
  })

  it('leaves the next turn of its session alone when it had ended before it could hear of it', async () => {
    const stops = holdAnswers(memoryStore(), 'run.stop')
    const gates = [gate(), gate()]
    const model = new ScriptedModel(({ prompt }) => {
      const waits = ['of a run', 'behind it'].findLastIndex((text) => JSON.stringify(prompt.at(-1)).includes(text))
      return waits < 0 ? 'hello' : [{ wait: () => gates[waits]?.opened ?? Promise.resolve() }, { text: 'done' }]
    })
    const { gateway, paper } = await houses.open({ model, options: { store: stops.store } })
    await paper.say('c1', 'hello')
    await until(() => paper.shown === 1)
    const caller = new AbortController()
    const run = gateway.run({ input: 'of a run', sessionKey, signal: caller.signal })
    await until(() => model.calls.length === 2)
    caller.abort()
    await until(stops.asked)
    await paper.say('c1', 'behind it')
    gates[0]?.open()
    expect((await run.result).status).toBe('completed')
    await until(() => model.calls.length === 3)
    stops.release()
    await new Promise((resolve) => setImmediate(resolve))
    gates[1]?.open()
    await until(() => paper.shown === 2)
    expect(paper.answers('c1')).toEqual(['hello', 'done'])
  })

  it('ends for itself alone', async () => {
    const { gateway, release } = await openHolding()
    const caller = new AbortController()
    const left = gateway.run({ input: 'left', signal: caller.signal })
    const stays = gateway.run({ input: 'stays' })
    await stays.turn
    caller.abort()
    expect((await left.result).status).toBe('interrupted')
    release()
    expect((await stays.result).status).toBe('completed')
  })

  it('is ended by /stop in the chat of its session like any turn', async () => {
    const { gateway, paper } = await houses.open({
      model: new ScriptedModel(({ prompt }) => (JSON.stringify(prompt).includes('hang') ? [{ hang: true }] : 'hello')),
    })
    await paper.say('c1', 'hello')
    await until(() => paper.shown === 1)
    const run = gateway.run({ input: 'hang', sessionKey })
    await run.turn
    await paper.say('c1', '/stop')
    expect(await run.result).toMatchObject({ status: 'interrupted', stop: { kind: 'stop' } })
  })
})

describe('a run of a plugin', () => {
  // plugins 33
  it('is refused without the grant', async () => {
    const { host } = await openWith(['messages.inject'])
    expect(() => host.run({ input: 'x' })).toThrow(
      expect.objectContaining({ code: 'grant.missing', detail: { pluginId: 'runner', grant: 'turns.run' } }),
    )
  })

  it('is answered with the grant, and refused in a wrong shape', async () => {
    const { host } = await openWith(['turns.run'])
    expect((await host.run({ input: 'hello' }).result).text).toContain('hello')
    expect(() => host.run({ input: '' })).toThrow(expect.objectContaining({ code: 'value.invalid' }))
  })

  it('ends when the plugin leaves, and nobody else’s; afterwards none begins', async () => {
    const { host, joined, gateway } = await openWith(['turns.run'], { model: new ScriptedModel(() => [{ hang: true }]) })
    const runs = [host.run({ input: 'one' }), host.run({ input: 'two' })]
    const other = gateway.run({ input: 'of the application' })
    await Promise.all([...runs, other].map(({ turn }) => turn))
    joined.dispose()
    for (const run of runs) expect(await run.result).toMatchObject({ status: 'interrupted', stop: { kind: 'disconnect' } })
    expect(() => host.run({ input: 'three' })).toThrow(expect.objectContaining({ code: 'stopped' }))
    expect((await other.turn).signal.aborted).toBe(false)
  })

  it('has keys of its own: the same key of the application is another run', async () => {
    const { host, gateway } = await openWith(['turns.run'])
    const texts = await Promise.all(
      [host.run({ input: 'mine', key: 'k' }), gateway.run({ input: 'yours', key: 'k' })].map(async ({ result }) => (await result).text),
    )
    expect(texts).toEqual([expect.stringContaining('mine'), expect.stringContaining('yours')])
  })
})

describe('a question of a run', () => {
  it('waits for run.answer, is shown once as answered, and takes no second answer', async () => {
    const { paid, plugin, model } = payTool()
    const { gateway } = await houses.open({ plugins: [plugin], model })
    const run = gateway.run({ input: 'pay' })
    const id = await openQuestion(run)
    expect(run.answer('another', { kind: 'approved' })).toBe(false)
    expect(run.answer(id, { kind: 'text', text: 'yes' })).toBe(false)
    expect(paid).toEqual([])
    expect(run.answer(id, { kind: 'approved' })).toBe(true)
    expect(run.answer(id, { kind: 'denied' })).toBe(false)
    expect((await run.result).text).toContain('Paid 20.')
    expect(paid).toEqual([20])
    expect((await eventsOf(run)).filter(({ type }) => type === 'question-close')).toHaveLength(1)
  })

  it('is unanswered when its run is left', async () => {
    const { paid, plugin, model } = payTool()
    const { gateway } = await houses.open({ plugins: [plugin], model })
    const caller = new AbortController()
    const run = gateway.run({ input: 'pay', signal: caller.signal })
    const id = await openQuestion(run)
    caller.abort()
    expect((await run.result).status).toBe('interrupted')
    expect(run.answer(id, { kind: 'approved' })).toBe(false)
    expect(paid).toEqual([])
  })
})
