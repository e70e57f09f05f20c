import { createAgent, type Gateway, type HookHealth } from '@hermes/core'
import { FakeClock, ScriptedModel } from '@hermes/core/testing'
import { definePlugin, defineTool, type Command, type HookName, type HostApi, type Plugin, type Tool } from '@hermes/plugin-sdk'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { misdeeds, type Misdeed } from './misdeeds.js'
import { PaperHouses } from './paper-house.js'
import { PaperPlatform } from './paper-platform.js'

const houses = new PaperHouses()
afterEach(() => houses.close())
afterAll(() => houses.dispose())

/** Hooks whose taps are asked something: an answer of a wrong type is a failure of these alone. */
const asking: readonly string[] = ['preDispatch', 'turnStart', 'preToolCall', 'transformToolResult', 'transformAnswer']
/** Those that a conversation comes by in which a model call fails, a tool and a command are called, and another conversation begins. */
const hooks = [
  'preDispatch',
  'turnStart',
  'preToolCall',
  'transformToolResult',
  'transformAnswer',
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
/** Where else code of a plugin is called. */
const others = ['tool:hostile', 'command:hostile', 'platformHandler:paper', 'onStop', 'register'] as const
type Place = (typeof hooks)[number] | (typeof others)[number]

/** Does what is done there count as a failure there? */
function isFailure(place: Place, { kind }: Misdeed): boolean {
  if (kind === 'failure') return true
  if (place === 'tool:hostile') return true
  return kind === 'wrong' && (asking.includes(place) || place === 'command:hostile' || place === 'platformHandler:paper')
}

const idOf = (place: Place): string => `hostile-${place.toLowerCase().replace(':', '-')}`

/** A plugin that does it in one place. */
function hostile(place: Place, run: () => unknown): Plugin {
  const bring = (host: HostApi): unknown => {
    if (place === 'register') return run()
    if (place === 'onStop') return host.onStop(run as () => void)
    if (place === 'tool:hostile')
      return host.registerTool({ name: 'hostile', description: 'Misbehaves.', input: { type: 'object' }, timeoutMs: 30_000, run } as Tool)
    if (place === 'command:hostile') return host.registerCommand({ name: 'hostile', description: 'Misbehaves.', run } as Command)
    if (place === 'platformHandler:paper') return host.registerPlatformHandler('paper', run as () => void)
    return host.on(place, run as () => void)
  }
  // Only `register` answers with what the misdeed gave.
  return definePlugin({ id: idOf(place), register: (host) => (place === 'register' ? (bring(host) as undefined) : void bring(host)) })
}

/** What works beside them: a tool, a command, a platform handler, and a tap on every hook, behind the hostile one. */
function bystander() {
  const heard = new Set<string>()
  const look = defineTool({ name: 'look', description: 'Looks.', input: z.object({}), run: () => 'seen' })
  const plugin = definePlugin({
    id: 'bystander',
    register(host) {
      host.registerTool(look)
      host.registerCommand({ name: 'ping', description: 'Answers pong.', run: () => 'pong' })
      host.registerPlatformHandler('paper', () => void heard.add('platformHandler:paper'))
      for (const hook of hooks) host.on(hook, () => void heard.add(hook))
    },
  })
  return { plugin, heard }
}

/** A model whose first call fails, and which calls all tools, `look` last, before it says what that said. */
function model(): ScriptedModel {
  return new ScriptedModel(({ prompt, tools = [] }, call) => {
    if (call === 0) return [{ error: { status: 503 } }]
    const tail = prompt.at(-1)
    if (tail?.role !== 'tool') return tools.map(({ name }) => ({ toolCall: { name, input: {} } })).toSorted(byName)
    const result = prompt
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
      .findLast((part) => part.type === 'tool-result' && part.toolName === 'look')
    return result?.type === 'tool-result' && 'value' in result.output && typeof result.output.value === 'string' ? result.output.value : 'nothing'
  })
}

const byName = (left: { toolCall: { name: string } }, right: { toolCall: { name: string } }): number =>
  left.toolCall.name < right.toolCall.name ? -1 : 1

/** Lets a conversation happen that comes by every place, and lets time pass for those who wait. */
async function converse(
  hostiles: readonly Plugin[],
  { lines, prepare }: { readonly lines: readonly string[]; readonly prepare?: (gateway: Gateway) => void },
) {
  const clock = new FakeClock()
  const paper = new PaperPlatform()
  const dead = new PaperPlatform({ id: 'dead', options: { name: 'dead', allowAll: true }, connect: () => Promise.reject(new Error('no network')) })
  const { plugin, heard } = bystander()
  const agent = createAgent({ model: model(), retry: { baseMs: 0 } })
  const { gateway } = houses.build({ paper, plugins: [...hostiles, dead.plugin, plugin], options: { agent, clock } })
  prepare?.(gateway)
  const passing = async (condition: () => boolean): Promise<void> => {
    for (const end = Date.now() + 30_000; !condition(); await sleep(1)) {
      if (Date.now() > end) throw new Error(`it did not come to: ${String(condition)}`)
      await clock.advance(1000)
    }
  }
  let isStarted = false
  void gateway.start().then(() => (isStarted = true))
  await passing(() => isStarted && gateway.health().adapters.some(({ state }) => state === 'connected'))
  for (const [index, text] of lines.entries()) {
    void paper.say('1', text)
    await passing(() => paper.answers('1').length === index + 1)
  }
  return { gateway, clock, heard, passing, answers: paper.answers('1') }
}

function recordOf(gateway: Gateway, place: Place): HookHealth | undefined {
  const health = gateway.health().plugins.find(({ id }) => id === idOf(place))
  return health?.hooks?.find(({ hook }) => hook === place)
}

const table = misdeeds.map((misdeed) => [misdeed.does, misdeed] as const)

describe('plugins whose taps', () => {
  it.each(table)('%s stop nothing, and each stands in the health with its hook and reason', async (_does, misdeed) => {
    const lines = ['hello', '/ping', '/new', 'again']
    const fails = hooks.filter((hook) => isFailure(hook, misdeed))
    const { gateway, heard, passing, answers } = await converse(
      hooks.map((hook) => hostile(hook, () => misdeed.run())),
      { lines },
    )

    // Only the call that a tap was to decide about is not made: it fails closed.
    const looked = fails.includes('preToolCall') ? /^The hook preToolCall of hostile-pretoolcall could not decide/ : /^seen$/
    expect(answers).toEqual([expect.stringMatching(looked), 'pong', expect.stringContaining('New conversation'), expect.stringMatching(looked)])
    expect(gateway.health().adapters.find(({ name }) => name === 'paper')?.state).toBe('connected')

    await passing(() => hooks.every((hook) => heard.has(hook) && (!fails.includes(hook) || (recordOf(gateway, hook)?.failures ?? 0) > 0)))
    for (const hook of hooks) {
      const isWell = { failures: 0, state: 'ok' }
      const hasFailed = { lastError: { message: expect.stringMatching(misdeed.reason) as string } }
      expect(recordOf(gateway, hook)).toMatchObject({ hook, ...(fails.includes(hook) ? hasFailed : isWell) })
    }
    await gateway.stop()
  })

  it.each([
    ['well and then badly', [undefined, new Error('second')], 0],
    ['badly and then well', [new Error('first'), undefined], 1],
  ] as const)('call back twice, %s, have said the first thing', async (_how, results, failures) => {
    const callBack = (_payload: object, _context: object, done: (error?: Error) => void): void => results.forEach((result) => done(result))
    const tapped = hooks.filter((hook) => hook !== 'streamDelta')
    const { gateway, passing, answers } = await converse([], {
      lines: ['hello', '/ping', '/new', 'again'],
      prepare: ({ hooks: taps }) => tapped.forEach((hook) => taps[hook].tapAsync('twice', callBack)),
    })
    const looked = failures === 0 ? /^seen$/ : /^The hook preToolCall of tapable:twice could not decide.*first/
    expect(answers).toEqual([expect.stringMatching(looked), 'pong', expect.stringContaining('New conversation'), expect.stringMatching(looked)])
    const records = (): readonly HookHealth[] => gateway.health().plugins.find(({ id }) => id === 'tapable:twice')?.hooks ?? []
    await passing(() => records().length === tapped.length && records().every(({ calls, pending }) => calls > 0 && pending === 0))
    for (const record of records()) expect(record).toMatchObject({ failures: failures * record.calls })
  })
})

describe('plugins whose tool, command and platform handler', () => {
  it.each(table)('%s stop nothing, and each stands in the health with its place and reason', async (_does, misdeed) => {
    const places = ['tool:hostile', 'command:hostile', 'platformHandler:paper'] as const
    const lines = ['hello', '/hostile', '/ping', 'again']
    // A command that answers with nothing says nothing.
    const isSilent = !isFailure('command:hostile', misdeed)
    const { gateway, heard, answers } = await converse(
      places.map((place) => hostile(place, () => misdeed.run())),
      { lines: lines.filter((line) => line !== '/hostile' || !isSilent) },
    )
    const complaint = expect.stringContaining('/hostile failed') as string
    expect(answers).toEqual(['seen', ...(isSilent ? [] : [complaint]), 'pong', 'seen'])
    expect(gateway.health().adapters.find(({ name }) => name === 'paper')?.state).toBe('connected')
    expect([...heard]).toContain('platformHandler:paper')
    for (const place of places.filter((each) => isFailure(each, misdeed))) {
      expect(recordOf(gateway, place)).toMatchObject({ state: 'degraded', lastError: { message: expect.stringMatching(misdeed.reason) as string } })
    }
    await gateway.stop()
  })
})

describe('plugins whose register and onStop', () => {
  it.each(table)('%s stop nothing: the others are there, and the gateway ends', async (_does, misdeed) => {
    const { gateway, clock, answers } = await converse(
      (['register', 'onStop'] as const).map((place) => hostile(place, () => misdeed.run())),
      { lines: ['hello', '/ping'] },
    )
    expect(answers).toEqual(['seen', 'pong'])
    const registering = gateway.health().plugins.find(({ id }) => id === idOf('register'))
    const failed = { state: 'failed', reason: expect.stringMatching(misdeed.reason) as string }
    expect(registering).toMatchObject(misdeed.kind === 'failure' ? failed : { state: 'registered' })
    let isStopped = false
    void gateway.stop().then(() => (isStopped = true))
    for (const end = Date.now() + 30_000; !isStopped && Date.now() < end; await sleep(1)) await clock.advance(1000)
    expect(gateway.health().state).toBe('stopped')
  })
})
