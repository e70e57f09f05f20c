import { memoryStore, type ExecuteOptions, type StateStore, type StoreCommandName, type StoreCommands } from '@hermes/core'
import { defineCommand, definePlugin, HermesError, type Clock } from '@hermes/plugin-sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, it } from 'vitest'
import { PaperHouses } from './paper-house.js'
import { until, type PaperPlatform } from './paper-platform.js'

const houses = new PaperHouses()

afterEach(() => houses.close())
afterAll(() => houses.dispose())

/** A start rejects when it cannot read what was left. */
const readAtStart: ReadonlySet<StoreCommandName> = new Set(['inbox.unrouted', 'lane.ready', 'pairing.list'])

/** A store of which every seventh command or so fails, before it took effect or after it: then nobody knows. */
function failing(moment: 'before' | 'after'): StateStore {
  const memory = memoryStore()
  let chance = 1
  const draw = (): number => (chance = (chance * 16_807) % 2_147_483_647) / 2_147_483_647
  return {
    engine: memory.engine,
    open: () => memory.open(),
    close: () => memory.close(),
    health: () => memory.health(),
    async execute<N extends StoreCommandName>(name: N, args: StoreCommands[N]['args'], options?: ExecuteOptions) {
      const fails = !readAtStart.has(name) && draw() < 0.15
      if (fails && moment === 'before') throw new HermesError('store.busy', 'A test keeps the file.', { path: 'x', waitedMs: 1 })
      const result = await memory.execute(name, args, options)
      if (fails) throw new HermesError('store.unsettled', 'A test lost the answer.', { command: name, id: options?.id ?? '' })
      return result
    },
  }
}

/** The real clock, without the patience: what is tried again is tried again soon. */
const hastyClock: Clock = {
  now: () => Date.now(),
  random: () => 0.5,
  sleep: async (ms, signal) => {
    await sleep(ms < 20_000 ? Math.min(ms, 10) : ms, undefined, signal ? { signal } : undefined)
  },
}

/** As a platform does it: again, until it is taken. */
async function deliver(paper: PaperPlatform, chat: string, text: string): Promise<void> {
  for (const event = paper.message(chat, text); ; await sleep(1)) {
    const receipt = await paper.contexts
      .at(-1)
      ?.receive(event)
      .catch(() => undefined)
    if (receipt !== undefined) return
  }
}

it.each(['before', 'after'] as const)('loses and doubles nothing when commands of the store fail %s they took effect', async (moment) => {
  const ping = defineCommand({ name: 'ping', description: 'A test.', whileBusy: 'run', run: () => 'pong' })
  const plugin = definePlugin({ id: 'ping', register: (host) => void host.registerCommand(ping) })
  const { paper } = await houses.open({ plugins: [plugin], options: { store: failing(moment), clock: hastyClock } })
  const chats = Array.from({ length: 20 }, (_, index) => String(index))
  for (const chat of chats) await Promise.all(['one', '/ping', 'two'].map((text) => deliver(paper, chat, text)))
  await until(() => paper.shown >= 3 * chats.length)
  expect(chats.map((chat) => paper.answers(chat).toSorted())).toEqual(chats.map(() => ['one', 'pong', 'two']))
})
