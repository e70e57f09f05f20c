import { createAgent, type HookHealth } from '@hermes/core'
import { FakeClock, ScriptedModel } from '@hermes/core/testing'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineCommand, definePlugin, defineTool, type HookName, type HostApi, type Plugin } from '@hermes/plugin-sdk'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PaperHouses } from './paper-house.js'
import { PaperPlatform } from './paper-platform.js'

const houses = new PaperHouses()
afterEach(() => houses.close())
afterAll(() => houses.dispose())

/** Hooks whose taps are asked something: an answer of a wrong type is a failure of these alone. */
const asking = ['preDispatch', 'turnStart', 'preToolCall', 'transformToolResult', 'transformAnswer'] as const satisfies readonly HookName[]
const hooks = [
  ...asking,
  'preCommand',
  'sessionStart',
  'sessionEnd',
  'turnEnd',
  'preModelCall',
  'postModelCall',
  'modelError',
  'postToolCall',
  'streamDelta',
  'deliveryOutcome',
  'adapterConnected',
  'adapterFailed',
] as const satisfies readonly HookName[]

/** What a hostile tap does, which hooks count it as a failure, and the reason that the health gives. */
interface Misdeed {
  readonly does: string
  readonly tap: () => unknown
  readonly fails: readonly HookName[]
  readonly reason: RegExp
}

const misdeeds: readonly Misdeed[] = [
  { does: 'throw', tap: () => raise(new Error('broken tap')), fails: hooks, reason: /^broken tap$/ },
  { does: 'throw null', tap: () => raise(null), fails: hooks, reason: /null/ },
  { does: 'throw what cannot be read', tap: () => raise(unreadable()), fails: hooks, reason: /./ },
  { does: 'reject late', tap: () => new Promise((_, reject) => setImmediate(reject, new Error('too late'))), fails: hooks, reason: /^too late$/ },
  { does: 'answer with a promise that settles twice', tap: () => settlingTwice('undefined first'), fails: [], reason: /./ },
  { does: 'answer with a promise that fails twice', tap: () => settlingTwice('failure first'), fails: hooks, reason: /^first failure$/ },
  { does: 'answer with what cannot be asked for a promise', tap: askedInVain, fails: hooks, reason: /^look away$/ },
  { does: 'answer with a wrong type', tap: () => Symbol('nonsense'), fails: asking, reason: /something else than the hook asks for/ },
  {
    does: 'answer with a wrong directive',
    tap: () => ({ action: 'explode', context: 5 }),
    fails: asking,
    reason: /something else than the hook asks for/,
  },
  { does: 'never answer', tap: () => new Promise(() => {}), fails: hooks, reason: /did not end within \d+ ms/ },
]

const hostile = (hook: HookName, tap: () => unknown): Plugin =>
  definePlugin({ id: `hostile-${hook.toLowerCase()}`, register: (host: HostApi) => void host.on(hook, tap as () => void) })

/** What works beside them: a tool, a command, and a tap on every hook, behind the hostile one. */
function bystander() {
  const heard = new Set<HookName>()
  const look = defineTool({ name: 'look', description: 'Looks.', input: z.object({}), run: () => 'seen' })
  const ping = defineCommand({ name: 'ping', description: 'Answers pong.', run: () => 'pong' })
  const plugin = definePlugin({
    id: 'bystander',
    register(host) {
      host.registerTool(look)
      host.registerCommand(ping)
      for (const hook of hooks) host.on(hook, () => void heard.add(hook))
    },
  })
  return { plugin, heard }
}

/** A model whose first call fails, and which looks before it answers. */
function model(): ScriptedModel {
  return new ScriptedModel(({ prompt }, call) => {
    if (call === 0) return [{ error: { status: 503 } }]
    const tail = prompt.at(-1)
    if (tail?.role !== 'tool') return [{ toolCall: { name: 'look', input: {} } }]
    const [result] = tail.content
    return result?.type === 'tool-result' && 'value' in result.output && typeof result.output.value === 'string' ? result.output.value : 'nothing'
  })
}

/** Lets a conversation happen that comes by every hook, and lets time pass for those who wait. */
async function converse(tap: () => unknown) {
  const clock = new FakeClock()
  const paper = new PaperPlatform()
  const dead = new PaperPlatform({ id: 'dead', options: { name: 'dead', allowAll: true }, connect: () => Promise.reject(new Error('no network')) })
  const { plugin, heard } = bystander()
  const agent = createAgent({ model: model(), retry: { baseMs: 0 } })
  const plugins = [...hooks.map((hook) => hostile(hook, tap)), dead.plugin, plugin]
  const { gateway } = houses.build({ paper, plugins, options: { agent, clock } })
  await gateway.start()
  const passing = async (condition: () => boolean): Promise<void> => {
    for (const end = Date.now() + 20_000; !condition(); await sleep(1)) {
      if (Date.now() > end) throw new Error(`it did not come to: ${String(condition)}`)
      await clock.advance(1000)
    }
  }
  await passing(() => gateway.health().adapters.some(({ state }) => state === 'connected'))
  for (const [index, text] of ['hello', '/ping', '/new', 'again'].entries()) {
    void paper.say('1', text)
    await passing(() => paper.answers('1').length === index + 1)
  }
  const record = (hook: HookName): HookHealth | undefined =>
    gateway
      .health()
      .plugins.find(({ id }) => id === `hostile-${hook.toLowerCase()}`)
      ?.hooks?.find((health) => health.hook === hook)
  return { gateway, heard, passing, record, answers: paper.answers('1') }
}

describe('plugins whose taps', () => {
  it.each(misdeeds.map((misdeed) => [misdeed.does, misdeed] as const))(
    '%s stop nothing, and each stands in the health with its hook and reason',
    async (_does, { tap, fails, reason }) => {
      const { gateway, heard, passing, record, answers } = await converse(tap)

      // Only the call that a tap was to decide about is not made: it fails closed.
      const looked = fails.includes('preToolCall') ? /^The hook preToolCall of hostile-pretoolcall could not decide/ : /^seen$/
      expect(answers).toEqual([expect.stringMatching(looked), 'pong', expect.stringContaining('New conversation'), expect.stringMatching(looked)])
      expect(gateway.health().adapters.find(({ name }) => name === 'paper')?.state).toBe('connected')

      await passing(() => hooks.every((hook) => heard.has(hook) && (!fails.includes(hook) || (record(hook)?.failures ?? 0) > 0)))
      const well = hooks.filter((hook) => !fails.includes(hook))
      for (const hook of fails) expect(record(hook)).toMatchObject({ hook, lastError: { message: expect.stringMatching(reason) } })
      for (const hook of well) expect(record(hook)).toMatchObject({ hook, failures: 0, state: 'ok' })
      await gateway.stop()
    },
  )
})

function raise(error: unknown): never {
  throw error
}

/** Every look at it throws. */
function unreadable(): object {
  return new Proxy({}, { get: () => raise(new Error('look away')), getPrototypeOf: () => raise(new Error('look away')) })
}

/** Whoever asks whether it is a promise is thrown at. */
function askedInVain(): object {
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is about
  return Object.defineProperty({}, 'then', { get: () => raise(new Error('look away')) })
}

/** No promise, but something that says to be one. */
function settlingTwice(order: 'undefined first' | 'failure first'): PromiseLike<unknown> {
  const then = (resolve: (value: unknown) => void, reject: (error: unknown) => void): never => {
    if (order === 'undefined first') resolve(undefined)
    reject(new Error('first failure'))
    resolve({ action: 'block', message: 'twice' })
    reject(new Error('second failure'))
    throw new Error('third failure')
  }
  // oxlint-disable-next-line unicorn/no-thenable -- that is what it is about
  return { then } as unknown as PromiseLike<unknown>
}
