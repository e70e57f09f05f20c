import { memoryStore, type StateStore } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { FakeClock, ScriptedModel } from '@hermes/core/testing'
import { defineCommand, definePlugin, defineTool, type Command, type Plugin } from '@hermes/plugin-sdk'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PaperHouses } from './paper-house.js'
import { PaperPlatform, until } from './paper-platform.js'

const houses = new PaperHouses()
const never = (): Promise<never> => new Promise(() => {})

afterEach(() => houses.close())
afterAll(() => houses.dispose())

function commandPlugin(name: string, run: Command['run']): Plugin {
  return definePlugin({ id: name, register: (host) => void host.registerCommand(defineCommand({ name, description: 'A test.', run })) })
}

/** A store in which a crash left these texts of one chat. */
async function storeWith(paper: PaperPlatform, texts: readonly string[]): Promise<StateStore> {
  const store = memoryStore()
  await store.open()
  const events = texts.map((text) => ({ event: paper.message('c', text) }))
  await store.execute('inbox.receive', { adapter: 'paper', account: 'paper-bot', at: 0, events })
  return store
}

/** Lets time pass until the promise is settled. */
async function passUntil<T>(promise: Promise<T>, clock: FakeClock): Promise<T> {
  let isSettled = false
  const mark = (): void => void (isSettled = true)
  promise.then(mark, mark)
  for (let seconds = 0; !isSettled && seconds < 60; seconds++) await clock.advance(1000)
  expect(isSettled).toBe(true)
  return promise
}

/** What keeps the process alive, beside the tools that run this test. */
function handles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /Timeout|Socket|Server|Worker|TCP/.test(name))
}

describe('a gateway', () => {
  it('stops at any moment of its start, once, and leaves nothing running', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hermes-stop-'))
    const before = handles()
    for (let turns = 0; turns < 60; turns += 6) {
      const { gateway } = houses.build({ options: { store: sqliteStore(join(directory, `${turns}.db`)) } })
      const starting = gateway.start()
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
      await Promise.all([gateway.stop(), gateway.stop()])
      await starting
      expect(gateway.health()).toMatchObject({ state: 'stopped', store: { state: 'closed' }, turns: { running: 0 } })
    }
    expect(handles().filter((name) => !before.includes(name))).toEqual([])
    await rm(directory, { recursive: true, force: true })
  })

  it('that was stopped does not start, not even while it stops', async () => {
    const { gateway } = houses.build()
    const stopping = gateway.stop()
    await expect(gateway.start()).rejects.toMatchObject({ code: 'stopped' })
    await stopping
    await expect(gateway.start()).rejects.toMatchObject({ code: 'stopped' })
    await expect(gateway.use(undefined as never)).rejects.toMatchObject({ code: 'stopped' })
  })

  it('does not wait for a plugin that hangs in its registering', async () => {
    const clock = new FakeClock()
    const { gateway } = houses.build({ plugins: [definePlugin({ id: 'slow', register: never })], options: { clock } })
    const starting = gateway.start()
    expect(await clock.slept()).toBe(30_000)
    await gateway.stop()
    await starting
    expect(clock.sleeping).toEqual([])
  })

  it('gives a command that hangs two seconds, and no command keeps it from starting again', async () => {
    const clock = new FakeClock()
    const paper = new PaperPlatform()
    const store = await storeWith(paper, ['/hang', 'hello'])
    const { gateway } = await houses.open({ paper, plugins: [commandPlugin('hang', never)], options: { clock, store } })
    await until(() => paper.answers('c').length === 1)
    await passUntil(gateway.stop(), clock)
    expect(clock.sleeping).toEqual([])

    const again = await houses.open({ paper, plugins: [commandPlugin('hang', () => 'this time')], options: { store } })
    await until(() => paper.answers('c').length === 2)
    expect(paper.answers('c')[1]).toBe('this time')
    await again.gateway.stop()
  })

  it('says in the chat that a command failed, whatever it threw', async () => {
    const thrown = [null, undefined, 'text', new Error('broken')]
    const plugins = thrown.map((value, index) =>
      commandPlugin(`throw${index}`, () => {
        throw value
      }),
    )
    const { paper } = await houses.open({ plugins })
    for (const index of thrown.keys()) await paper.say('c', `/throw${index}`)
    await until(() => paper.answers('c').length === thrown.length)
    expect(paper.answers('c').every((text) => text.includes('failed'))).toBe(true)
  })

  it('answers after the next start what arrived while it stopped', async () => {
    const store = memoryStore()
    let release = (): void => {}
    const paper = new PaperPlatform({ disconnect: () => new Promise((resolve) => (release = resolve)) })
    const { gateway } = await houses.open({ paper, options: { store } })
    const during = paper.say('during', 'hello')
    const stopping = gateway.stop()
    expect(await during).toBe('stored')
    await until(() => paper.contexts[0]?.signal.aborted === true)
    await expect(paper.say('after', 'hello')).rejects.toMatchObject({ code: 'stopped' })
    release()
    await stopping
    const next = await houses.open({ paper, options: { store } })
    await until(() => paper.answers('during').length === 1)
    expect(paper.answers('after')).toEqual([])
    release()
    const closed = next.gateway.stop()
    await until(() => paper.contexts[1]?.signal.aborted === true)
    release()
    await closed
  })

  it('answers what waits for an adapter when a plugin brings it', async () => {
    const paper = new PaperPlatform()
    const store = await storeWith(paper, ['hello'])
    const other = new PaperPlatform({ id: 'other', options: { name: 'other', allowAll: true } })
    const { gateway } = await houses.open({ paper: other, options: { store } })
    const registration = await gateway.use(paper.plugin)
    await until(() => paper.answers('c').length === 1)
    registration.dispose()
    await until(() => gateway.health().adapters.length === 1)
    await gateway.use(paper.plugin)
    await until(() => paper.contexts.length === 2)
    await paper.say('c', 'again')
    await until(() => paper.answers('c').length === 2)
    expect(other.shown).toBe(0)
  })

  it('goes on with a turn whose adapter is gone, and shows its answer when the adapter is back', async () => {
    const store = memoryStore()
    const paper = new PaperPlatform()
    const first = await houses.open({ paper, model: new ScriptedModel(() => [{ hang: true }]), options: { store } })
    await paper.say('c', 'hello')
    await until(() => first.model.calls.length === 1)
    await first.gateway.stop()

    const other = new PaperPlatform({ id: 'other', options: { name: 'other', allowAll: true } })
    const without = await houses.open({ paper: other, options: { store } })
    await until(() => without.model.calls.length === 1 && without.gateway.health().turns.running === 0)
    await without.gateway.stop()
    expect(other.shown).toBe(0)

    await houses.open({ paper, options: { store } })
    await until(() => paper.shown === 1)
    expect(paper.answers('c')).toEqual(['hello'])
  })

  it('stops when a plugin, a command or a tool asks for it', async () => {
    const ask: { stop: () => Promise<void> } = { stop: never }
    const asking = definePlugin({
      id: 'asking',
      register(host) {
        host.registerCommand(defineCommand({ name: 'leave', description: 'A test.', run: () => (void ask.stop(), 'bye') }))
        host.registerTool(defineTool({ name: 'leave', description: 'A test.', input: z.object({}), run: async () => (await ask.stop(), 'bye') }))
      },
    })
    const store = memoryStore()
    const paper = new PaperPlatform()
    const byCommand = await houses.open({ paper, plugins: [asking], options: { store } })
    ask.stop = () => byCommand.gateway.stop()
    await paper.say('c', '/leave')
    await until(() => byCommand.gateway.health().state === 'stopped')

    const byTool = await houses.open({
      paper,
      plugins: [asking],
      model: new ScriptedModel(() => [{ toolCall: { name: 'leave', input: {} } }]),
      options: { store },
    })
    ask.stop = () => byTool.gateway.stop()
    await until(() => paper.answers('c').length === 1)
    await paper.say('c', 'leave')
    await until(() => byTool.gateway.health().state === 'stopped')
    expect(paper.answers('c')).toEqual(['bye'])

    const byPlugin = houses.build({ plugins: [definePlugin({ id: 'at-once', register: () => byPlugin.gateway.stop() })] })
    await byPlugin.gateway.start()
    await byPlugin.gateway.stop()
    expect(byPlugin.gateway.health().state).toBe('stopped')
  })

  it('lets a plugin leave while its adapter connects and while its command runs', async () => {
    const slow = new PaperPlatform({ id: 'slow', options: { name: 'slow', allowAll: true }, connect: never })
    const { paper, gateway } = await houses.open()
    const platform = await gateway.use(slow.plugin)
    await until(() => slow.contexts.length === 1)
    platform.dispose()
    await until(() => gateway.health().adapters.length === 1 && slow.contexts[0]?.signal.aborted === true)

    let finish: ((text: string) => void) | undefined
    const command = await gateway.use(commandPlugin('wait', () => new Promise<string>((resolve) => (finish = resolve))))
    await paper.say('c', '/wait')
    await until(() => finish !== undefined)
    command.dispose()
    finish?.('done')
    await until(() => paper.answers('c').length === 1)
    await paper.say('c', '/wait')
    await until(() => paper.answers('c').length === 2)
    expect(paper.answers('c')[0]).toBe('done')
    expect(paper.answers('c')[1]).toContain('do not know')
  })

  it('answers in a chat of which the adapter says nothing that can be used', async () => {
    const usual = { text: { limit: 4000, unit: 'utf16', dialect: 'plain' } } as const
    const { paper } = await houses.open({ paper: { capabilities: ({ chatId }) => (chatId === 'odd' ? ({} as never) : usual) } })
    await paper.say('odd', 'hello')
    await until(() => paper.shown === 1)
    expect(paper.answers('odd')).toEqual(['hello'])
  })

  it('goes on when the clock jumps, back or forth, and when its log throws', async () => {
    let offsetMs = 0
    const real = new FakeClock()
    const clock = { now: () => real.now() + offsetMs, random: () => 0, sleep: (ms: number, signal?: AbortSignal) => real.sleep(ms, signal) }
    const broken = (): never => {
      throw new Error('no log')
    }
    const { paper } = await houses.open({ options: { clock, logger: { debug: broken, info: broken, warn: broken, error: broken } } })
    for (const [count, jumpMs] of [0, -3e8, 3e8].entries()) {
      offsetMs = jumpMs
      await paper.say('c', 'hello')
      await until(() => paper.shown === count + 1)
    }
    expect(paper.answers('c')).toHaveLength(3)
  })
})
