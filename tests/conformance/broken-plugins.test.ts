import { createAgent, createGateway, grant } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { defineCommand, definePlugin, defineTool, parseOptions, secret, type HostApi, type Plugin, type Tool } from '@hermes/plugin-sdk'
import { pluginConformance, type PluginConformance, type SkippingTestApi } from '@hermes/plugin-sdk/conformance'
import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { collected, playCase } from './play-case.js'

const quiet = { debug() {}, info() {}, warn() {}, error() {} }
const token = 'planted-token'
const sensorOptions = z.object({ token: secret(), limits: z.object({ most: z.number() }) })
type SensorOptions = z.input<typeof sensorOptions>

/** What a test does otherwise than a plugin that keeps every promise. */
interface Defect {
  readonly register?: (host: HostApi) => void | Promise<void>
  readonly look?: Partial<Tool<{ at: string }>>
  readonly create?: (options: SensorOptions) => Plugin
  readonly natives?: PluginConformance<SensorOptions>['natives']
}

/** One of everything that a plugin can bring. */
function sensor(options: SensorOptions, { register, look: change }: Defect = {}): Plugin {
  const { limits } = parseOptions(sensorOptions, options, 'sensor()')
  const look = { ...lookTool(limits.most), ...change }
  return definePlugin({
    id: 'sensor',
    grants: ['messages.send', 'turns.run'],
    async register(host) {
      host.registerTool(look)
      const { status } = await host.run({ input: 'What was the level?', key: 'first' }).result
      if (status !== 'completed') throw new Error(`The agent was asked, and ${status}.`)
      host.registerCommand(defineCommand({ name: 'level', description: 'Tells the level.', run: ({ args }) => `Level ${limits.most}${args}` }))
      host.on('turnStart', ({ text }) => (text === '' ? undefined : { context: `The level is ${limits.most}.` }))
      host.on('prefersFreshFinalStreaming', ({ text }) => text.length > limits.most)
      host.on('adapterConnected', ({ adapter }) => host.logger.info({ adapter }, 'Connected'))
      host.registerPlatformHandler('radio', (native) => {
        const radio = native as EventEmitter
        const hear = (): void => {}
        radio.on('signal', hear)
        return () => void radio.off('signal', hear)
      })
      const ticking = setInterval(() => {}, 60_000)
      host.onStop(() => clearInterval(ticking))
      await register?.(host)
    },
  })
}

function lookTool(most: number): Tool<{ at: string }> {
  return defineTool({
    name: 'look',
    description: 'Tells what is seen.',
    input: z.object({ at: z.string() }),
    parallel: ({ at }) => [{ resource: at, access: 'read' }],
    approval: ({ at }) => (at === 'secret' ? { id: 'look', kind: 'approval', text: 'May I?' } : undefined),
    async run({ at }, { signal }) {
      if (at === 'nothing') throw new Error('There is nothing.')
      if (at === 'later') await sleep(10_000, undefined, { signal, ref: false }).catch(() => 'stopped')
      return { parts: [{ type: 'json', value: { at, most, missing: undefined } }] }
    },
  })
}

function suiteOf(defect: Defect = {}): (test: SkippingTestApi) => void {
  return (test) =>
    pluginConformance(test, {
      async open() {
        const gateway = createGateway({ agent: createAgent({ model: new ScriptedModel([]) }), logger: quiet })
        await gateway.start()
        return { use: (plugin) => gateway.use(grant(plugin, plugin.grants ?? [])), stop: () => gateway.stop() }
      },
      create: defect.create ?? ((options: SensorOptions) => sensor(options, defect)),
      options: { token, limits: { most: 3 } },
      secrets: [token],
      inputs: { look: [{ at: 'door' }, { at: 'nothing' }, { at: 'secret' }] },
      natives: defect.natives ?? { radio: () => new EventEmitter() },
    })
}

describe('the suite of plugins is kept by one that brings everything:', () => {
  it.each([...collected(suiteOf())])('%s', async (_name, body) => {
    await expect(body()).resolves.toBeUndefined()
  })
})

const tapping = (hook: Parameters<HostApi['on']>[0], tap: (...given: never[]) => unknown): Defect => ({
  register: (host) => void host.on(hook, tap as never),
})
const looking = (look: Defect['look']): Defect => ({ look: look ?? {} })
const commanding = (run: (...given: never[]) => unknown): Defect => ({
  register: (host) => void host.registerCommand({ name: 'odd', description: 'Odd', run: run as never }),
})

let loads = 0
const shared: { dispose(): void }[] = []

// Beside each other, for many of them wait until the suite loses its patience.
describe.concurrent('the suite finds a plugin that', () => {
  it.each<[what: string, broken: string, said: string, defect: Defect]>([
    [
      'registers more than a host takes',
      'load: comes in, in its time and with all that it registers',
      'has 1000 registrations',
      { register: (host) => void Array.from({ length: 1_001 }, () => host.onStop(() => {})) },
    ],
    [
      'never ends to register',
      'load: comes in, in its time and with all that it registers',
      'never came that the plugin is registered',
      { register: () => new Promise<void>(() => {}) },
    ],
    [
      'brings other names each time',
      'load: brings the same when it comes in again, and no name twice',
      'command level-1',
      { register: (host) => void host.registerCommand({ name: `level-${loads++}`, description: 'Level', run() {} }) },
    ],
    [
      'takes a name twice',
      'load: brings the same when it comes in again, and no name twice',
      'name level is taken',
      { register: (host) => void host.registerCommand({ name: 'level', description: 'Level', run() {} }) },
    ],
    [
      'keeps what it registered for all houses together',
      'load: shares nothing with another one of it, in another house',
      'command all',
      {
        register(host) {
          shared.push(host.registerCommand({ name: 'all', description: 'All', run() {} }))
          host.onStop(() => shared.splice(0).forEach((registration) => registration.dispose()))
        },
      },
    ],
    ['taps a hook that there is not', 'load: taps hooks that there are', 'nothing calls these taps', tapping('preToolcall' as never, () => {})],
    [
      'fails when it leaves',
      'leave: undoes what it did in its time, and nothing of it fails',
      'planted',
      {
        register: (host) =>
          void host.onStop(() => {
            throw new Error('planted')
          }),
      },
    ],
    [
      'never ends to leave',
      'leave: undoes what it did in its time, and nothing of it fails',
      'an undo never ended',
      { register: (host) => void host.onStop(() => new Promise<void>(() => {})) },
    ],
    [
      'registers when it has left',
      'leave: registers nothing any more',
      'onStop',
      {
        register: (host) =>
          void host.onStop(() => {
            setTimeout(() => {
              try {
                host.onStop(() => {})
                host.on('turnEnd', () => {})
              } catch {}
            }, 10)
          }),
      },
    ],
    [
      'takes options that it does not know',
      'options: that are unknown are refused, each with its path',
      'it threw undefined',
      { create: ({ token: given, limits }) => sensor({ token: given, limits: { most: limits.most } }) },
    ],
    [
      'refuses them without their path',
      'options: that are unknown are refused, each with its path',
      'not the error of parseOptions',
      {
        create(options) {
          if (Object.keys(options).length > 2) throw new TypeError('unknown options')
          return sensor(options)
        },
      },
    ],
    [
      'writes into its options',
      'options: stay as they were given',
      'isParsed',
      {
        create(options) {
          const { token: given, ...others } = options
          const made = sensor({ token: given, ...others })
          Object.assign(options, { isParsed: true })
          return made
        },
      },
    ],
    [
      'has a schema that JSON changes',
      'tools: have schemas that survive JSON, and ask for no property that they do not describe',
      'changes on its way through JSON',
      looking({ input: { type: 'object', properties: { at: { type: 'string', default: new Date(0) } } } as never }),
    ],
    [
      'requires what it does not describe',
      'tools: have schemas that survive JSON, and ask for no property that they do not describe',
      'where',
      looking({ input: { type: 'object', properties: { at: { type: 'string' } }, required: ['where'] } }),
    ],
    [
      'cannot say whether to ask',
      'tools: say by their input alone what they claim and whether to ask',
      'planted',
      looking({
        approval() {
          throw new Error('planted')
        },
      }),
    ],
    [
      'gives results that JSON changes',
      'tools: give results that survive JSON',
      'changes on its way through JSON',
      looking({ run: () => ({ parts: [{ type: 'json', value: { at: new Date(0) } as never }] }) }),
    ],
    ['gives results that are none', 'tools: give results that survive JSON', 'neither a text nor parts', looking({ run: () => 42 as never })],
    [
      'has tools that nobody can stop',
      'tools: end when they are told to stop',
      'look ends when it is told to',
      looking({ run: () => sleep(1_500, 'late') }),
    ],
    ['has commands that answer with something else', 'commands: answer with a text or with nothing', 'answered with a number', commanding(() => 42)],
    ['has commands that nobody can stop', 'commands: end when they are told to stop', '/odd ends when it is told to', commanding(() => sleep(1_500))],
    [
      'reads in payloads what is not there',
      'hooks: take every payload that a host gives, change nothing in it, and answer what their hook asks for',
      'the tap of preDispatch failed',
      tapping('preDispatch', ({ event }: { event: { text: string } }) => void event.text.trim()),
    ],
    [
      'writes into payloads',
      'hooks: take every payload that a host gives, change nothing in it, and answer what their hook asks for',
      'the tap of preToolCall failed',
      tapping('preToolCall', ({ input }: { input: { added?: boolean } }) => void (input.added = true)),
    ],
    [
      'answers with something else',
      'hooks: take every payload that a host gives, change nothing in it, and answer what their hook asks for',
      'that this hook does not know',
      tapping('turnStart', () => 'context'),
    ],
    [
      'hangs',
      'hooks: take every payload that a host gives, change nothing in it, and answer what their hook asks for',
      'the tap of turnEnd ends',
      tapping('turnEnd', () => new Promise(() => {})),
    ],
    ['answers later', 'hooks: answer at once where nobody waits', 'answers later', tapping('prefersFreshFinalStreaming', async () => true)],
    [
      'has taps that nobody can stop',
      'hooks: end when they are told to stop',
      'the tap of turnEnd ends when it is told to',
      tapping('turnEnd', () => sleep(1_500)),
    ],
    [
      'cannot take the next native object',
      'platform handlers: take the native object of a connection, and that of the next one',
      'planted',
      {
        register(host) {
          let isWired = false
          host.registerPlatformHandler('radio', () => {
            if (isWired) throw new Error('planted')
            isWired = true
          })
        },
      },
    ],
    [
      'leaves a listener on the native object',
      'platform handlers: take back what they put onto it, and twice is fine',
      'listeners stay on the native object',
      { register: (host) => void host.registerPlatformHandler('radio', (native) => void (native as EventEmitter).on('signal', () => {})) },
    ],
    [
      'says its secret in the refusal of options',
      'secrets: stand in no refusal of options',
      'a secret was said',
      {
        create(options) {
          if (Object.keys(options).length > 2) throw new Error(`cannot use ${JSON.stringify(options)}`)
          return sensor(options)
        },
      },
    ],
    [
      'tells the model its secret',
      'secrets: stand in nothing that a model or a person reads of tools and commands',
      'a secret was said',
      looking({ description: `Looks with ${token}.` }),
    ],
    [
      'throws its secret',
      'secrets: stand in no result, no error and no log',
      'a secret was said',
      looking({
        run() {
          throw new Error('planted', { cause: { headers: { authorization: token } } })
        },
      }),
    ],
    [
      'logs its secret',
      'secrets: stand in no result, no error and no log',
      'a secret was said',
      { register: (host) => host.logger.debug({ url: `https://x.test/${token}` }, 'Asking') },
    ],
  ])('%s', async (_what, broken, said, defect) => {
    expect(await playCase(broken, suiteOf(defect))).toContain(said)
  })
})

const strays: (() => void)[] = []
const noTrace = 'leave: leaves no timer, no socket and no listener of the process'

// One after another: they count what this process has.
describe('the suite finds a plugin that', () => {
  afterEach(() => {
    for (const undo of strays.splice(0)) undo()
  })

  it.each<[what: string, said: string, defect: Defect]>([
    [
      'leaves a timer',
      'timers and sockets are given back',
      {
        register() {
          const ticking = setInterval(() => {}, 60_000)
          strays.push(() => clearInterval(ticking))
        },
      },
    ],
    [
      'leaves a listener of the process',
      'listeners of the process',
      {
        register() {
          const planted = `planted-${strays.length}`
          process.on(planted, () => {})
          strays.push(() => void process.removeAllListeners(planted))
        },
      },
    ],
  ])('%s', async (_what, said, defect) => {
    expect(await playCase(noTrace, suiteOf(defect))).toContain(said)
  })
})
