import { memoryStore, type StateStore } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin, defineTool, HermesError } from '@hermes/plugin-sdk'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PaperHouses, type HouseChange, type PaperHouse } from './paper-house.js'
import { PaperPlatform, until } from './paper-platform.js'
import { eventsOf, openQuestion, payTool } from './run-rig.js'

const houses = new PaperHouses()
const directories: string[] = []
const sessionKey = 'agent:main:paper:dm:c1'

afterEach(async () => {
  await houses.close()
  for (const directory of directories.splice(0)) await rm(directory, { recursive: true, force: true })
})
afterAll(() => houses.dispose())

/** A store that a dying process loses at a moment: nothing that it still does is written. */
function mortal(store: StateStore): { readonly store: StateStore; die(): void } {
  let isDead = false
  return {
    store: {
      engine: store.engine,
      open: () => store.open(),
      execute: (...command) =>
        isDead ? Promise.reject(new HermesError('stopped', 'The process is dead.', { what: 'store' })) : store.execute(...command),
      health: () => store.health(),
      close: () => store.close(),
    },
    die: () => void (isDead = true),
  }
}

/** Each store, and how the next process finds it. */
const stores: readonly [string, () => Promise<() => StateStore>][] = [
  [
    'memory',
    async () => {
      const store = memoryStore()
      return () => store
    },
  ],
  [
    'SQLite',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'hermes-runs-'))
      directories.push(directory)
      return () => sqliteStore(join(directory, 'hermes.db'))
    },
  ],
]

describe.each(stores)('a run over a restart, in %s', (_name, prepare) => {
  async function next(store: StateStore, change: HouseChange = {}): Promise<PaperHouse> {
    return houses.open({ paper: new PaperPlatform(), ...change, options: { store, ...change.options } })
  }

  it('is parked with its process, goes on in the next one, and taps hear its end', async () => {
    const open = await prepare()
    const first = await next(open(), { model: new ScriptedModel(() => [{ hang: true }]) })
    const run = first.gateway.run({ input: 'go on' })
    const { id, lane } = await run.turn
    await first.gateway.stop()
    expect((await run.result).status).toBe('parked')

    const second = houses.build({ options: { store: open() } })
    const ends: unknown[] = []
    second.gateway.hooks.turnEnd.tap('test', ({ turn, outcome }) => void ends.push([turn.id, turn.lane, turn.epoch, outcome.status, outcome.text]))
    await second.gateway.start()
    await until(() => ends.length === 1)
    expect(ends).toEqual([[id, lane, 2, 'completed', expect.stringContaining('go on')]])
    expect(second.paper.shown).toBe(0)
  })

  it('goes on after a crash: what had begun in it is not repeated, and who requests it again hears that', async () => {
    const open = await prepare()
    const process = mortal(open())
    const begun: string[] = []
    const tool = defineTool({
      name: 'wire',
      description: 'Wires money.',
      input: z.object({}),
      async run(_input, { signal }) {
        begun.push('wire')
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        return 'never mind'
      },
    })
    const bank = definePlugin({ id: 'bank', register: (host) => void host.registerTool(tool) })
    const model = ScriptedModel.toolThenAnswer({ name: 'wire', input: {} })
    const first = await next(process.store, { plugins: [bank], model })
    const { id } = await first.gateway.run({ input: 'wire it', key: 'k' }).turn
    await until(() => begun.length === 1)
    process.die()
    await first.gateway.stop()

    const second = houses.build({ plugins: [bank], model, options: { store: open() } })
    const again = second.gateway.run({ input: 'wire it', key: 'k' })
    await second.gateway.start()
    expect(await again.result).toEqual(expect.objectContaining({ status: 'interrupted', text: '' }))
    expect((await again.result).stop).toBeUndefined()
    expect((await eventsOf(again)).flatMap((event) => (event.type === 'tool-end' ? [event.message.status] : []))).toEqual(['unknown'])
    expect((await again.turn).id).toBe(id)
    expect(begun).toEqual(['wire'])
    expect(second.paper.shown).toBe(0)
    const late = second.gateway.run({ input: 'wire it', key: 'k' })
    expect(await late.result).toEqual(await again.result)
    expect(await eventsOf(late)).toEqual([])
    await expect(late.turn).rejects.toMatchObject({ code: 'stopped' })
  })

  it('that waited is parked, too, and its turn comes in the next process', async () => {
    const open = await prepare()
    const hangs = await next(open(), { model: new ScriptedModel(() => [{ hang: true }]) })
    await hangs.paper.say('c1', 'first')
    await until(() => hangs.model.calls.length === 1)
    const waiting = hangs.gateway.run({ input: 'second', sessionKey, key: 'k' })
    await hangs.gateway.stop()
    expect((await waiting.result).status).toBe('parked')
    await expect(waiting.turn).rejects.toMatchObject({ code: 'stopped' })

    const second = await next(open())
    const again = second.gateway.run({ input: 'second', sessionKey, key: 'k' })
    expect((await again.result).text).toContain('second')
    await until(() => second.paper.shown === 1)
    expect(second.paper.answers('c1')[0]).toContain('first')
  })

  it('is asked the same question again, and answered by who requests it under its key', async () => {
    const open = await prepare()
    const pay = payTool()
    const first = await next(open(), { plugins: [pay.plugin], model: pay.model })
    const run = first.gateway.run({ input: 'pay', key: 'bill 7' })
    const asked = await openQuestion(run)
    const { id } = await run.turn
    await first.gateway.stop()
    expect(run.answer(asked, { kind: 'approved' })).toBe(false)

    const later = payTool()
    const second = await next(open(), { plugins: [later.plugin], model: new ScriptedModel(['Done.']) })
    const again = second.gateway.run({ input: 'pay', key: 'bill 7' })
    expect(await again.turn).toMatchObject({ id, epoch: 2 })
    expect(await openQuestion(again)).toBe(asked)
    again.answer(asked, { kind: 'approved' })
    expect(await again.result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect([pay.paid, later.paid]).toEqual([[], [20]])
    expect(await second.gateway.run({ input: 'pay', key: 'bill 7' }).result).toMatchObject({ status: 'completed', text: 'Done.' })
    expect(later.paid).toEqual([20])
  })

  it('without a key has nobody to ask any more: the tool does not run', async () => {
    const open = await prepare()
    const pay = payTool()
    const first = await next(open(), { plugins: [pay.plugin], model: pay.model })
    await openQuestion(first.gateway.run({ input: 'pay' }))
    await first.gateway.stop()

    const later = payTool()
    const second = houses.build({ plugins: [later.plugin], model: new ScriptedModel(['Not paid.']), options: { store: open() } })
    const ends: string[] = []
    second.gateway.hooks.turnEnd.tap('test', ({ outcome }) => void ends.push(outcome.text))
    await second.gateway.start()
    await until(() => ends.length === 1)
    expect(ends).toEqual(['Not paid.'])
    expect([pay.paid, later.paid]).toEqual([[], []])
  })
})
