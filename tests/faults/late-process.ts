import { createAgent, createGateway, grant, type Gateway, type GatewayOptions } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin, type AgentRuntime, type HostApi } from '@hermes/plugin-sdk'
import { PaperPlatform, until } from '../gateway/paper-platform.js'
import { lateMisdeeds, latePlaces, latePlugin, type LateMisdeed, type LatePlace } from './late-plugins.js'

/** What a test tells the process, as JSON in the first argument. */
export interface LateSettings {
  readonly scene: keyof typeof scenes
  readonly misdeed: LateMisdeed
}

const log: string[] = []
const write = (fields: object, message: string): void => void log.push(`${message} ${JSON.stringify(fields)}`)
const logger = { debug: write, info: write, warn: write, error: write }
const settings = JSON.parse(process.argv[2] ?? '') as LateSettings
const handlers = ['uncaughtException', 'unhandledRejection', 'uncaughtExceptionMonitor', 'newListener', 'removeListener'] as const
const listeners = (): readonly number[] => handlers.map((event) => process.listenerCount(event))

/** Everything that is said at the end. */
const report = (facts: object): void => void process.stdout.write(JSON.stringify(facts))

/** A model whose first call fails, which calls the tool and then says what it said. */
function model(): ScriptedModel {
  return new ScriptedModel(({ prompt }, call) => {
    if (call === 0) return [{ error: { status: 503 } }]
    const tail = prompt.at(-1)
    if (tail?.role !== 'tool') return [{ toolCall: { name: 'late', input: {} } }]
    const [result] = tail.content
    return result?.type === 'tool-result' && 'value' in result.output && typeof result.output.value === 'string' ? result.output.value : 'nothing'
  })
}

async function start(paper: PaperPlatform, options: Partial<GatewayOptions>): Promise<Gateway> {
  const agent = options.agent ?? createAgent({ model: model(), retry: { baseMs: 0 } })
  const plugins = (options.plugins ?? []).map((plugin) => ('plugin' in plugin ? plugin : grant(plugin, plugin.grants ?? [])))
  const gateway = createGateway({ logger, ...options, agent, plugins: [...plugins, paper.plugin] })
  await gateway.start()
  await until(() => gateway.health().adapters.some(({ name, state }) => name === 'paper' && state === 'connected'))
  return gateway
}

/** How the plugin of this id is doing, place by place. */
const placesOf = (gateway: Gateway, id = 'late') => gateway.health().plugins.find((plugin) => plugin.id === id)?.hooks ?? []

/** Every call that the conversation makes was made, and every one of them has failed. */
function isComplete(gateway: Gateway): boolean {
  const places = placesOf(gateway)
  const isOver = (hook: string, calls: number): boolean => places.some((place) => place.hook === hook && place.calls === calls)
  const hasFailed = (place: LatePlace): boolean => places.some(({ hook, failures, calls }) => hook === place && failures > 0 && failures >= calls)
  return latePlaces.every(hasFailed) && isOver('turnEnd', 2) && isOver('deliveryOutcome', 4)
}

/** A plugin whose command does this, and which does nothing else. */
const commanding = (run: (host: HostApi, sessionKey: string) => void, id = 'late') =>
  definePlugin({
    id,
    grants: ['messages.inject'],
    register: (host) => void host.registerCommand({ name: id, description: 'Does it.', run: ({ sessionKey }) => run(host, sessionKey) }),
  })

const breakApplication = (): void => {
  if (settings.misdeed) lateMisdeeds[settings.misdeed].run()
}

/** An agent of the application that does it in the turns in which it is told so. */
const ownAgent: AgentRuntime = {
  id: 'own',
  async *run({ input }) {
    if (JSON.stringify(input).includes('break now')) breakApplication()
    const model = { provider: 'own', model: 'own' }
    yield { type: 'step-start', model }
    yield { type: 'message-add', message: { role: 'assistant', model, finish: 'stop', parts: [{ type: 'text', text: 'said' }] } }
  },
}

/** Long enough for everything that is late here. */
async function settle(): Promise<void> {
  for (const end = Date.now() + 50; Date.now() < end;) await new Promise((resolve) => setImmediate(resolve))
}

const scenes = {
  /** The plugin does it everywhere, in a whole conversation. */
  async everywhere() {
    const paper = new PaperPlatform()
    const dead = new PaperPlatform({ id: 'dead', options: { name: 'dead', allowAll: true }, connect: () => Promise.reject(new Error('no network')) })
    const before = listeners()
    const gateway = await start(paper, { plugins: [latePlugin(settings.misdeed), dead.plugin] })
    for (const [index, text] of ['hello', '/late', '/new', 'again'].entries()) {
      await paper.say('1', text)
      await until(() => paper.answers('1').length === index + 1)
    }
    await until(() => isComplete(gateway))
    const adapter = gateway.health().adapters.find(({ name }) => name === 'paper')?.state
    const places = placesOf(gateway)
    await gateway.stop()
    report({ answers: paper.answers('1'), adapter, places, log, listeners: { before, after: listeners() } })
  },

  /** Nobody's: without a gateway. */
  async alone() {
    breakApplication()
    await settle()
    report({})
  },

  /** Nobody's: beside a gateway with a plugin. */
  async beside() {
    const gateway = await start(new PaperPlatform(), { plugins: [commanding(() => {})] })
    breakApplication()
    await settle()
    await gateway.stop()
    report({})
  },

  /** The agent's, in a turn that a plugin began by a message of its own. */
  async 'in a turn'() {
    const paper = new PaperPlatform()
    const injecting = commanding((host, sessionKey) => void host.inject({ sessionKey, text: 'break now' }))
    const gateway = await start(paper, { agent: ownAgent, plugins: [injecting] })
    await paper.say('1', 'hello')
    await until(() => paper.answers('1').length === 1)
    await paper.say('1', '/late')
    await until(() => paper.answers('1').length === 2)
    await settle()
    await gateway.stop()
    report({})
  },

  /** The plugin forgets to handle what the house refuses it. */
  async 'forgotten promise'() {
    const paper = new PaperPlatform()
    const chat = { platform: 'paper', adapter: 'paper', kind: 'dm', chatId: '1' } as const
    const gateway = await start(paper, { plugins: [commanding((host) => void host.send(chat, { text: 'no right to do so' }))] })
    await paper.say('1', '/late')
    await until(() => placesOf(gateway).some(({ failures }) => failures > 0))
    report({ places: placesOf(gateway) })
    await gateway.stop()
  },

  /** An application with handlers of its own, some of which come while the gateway runs. */
  async 'own handlers'() {
    const heard: string[] = []
    const hear = (event: 'uncaughtException' | 'unhandledRejection') => () => void heard.push(event)
    const rejection = hear('unhandledRejection')
    process.on('uncaughtException', hear('uncaughtException'))
    const paper = new PaperPlatform()
    const gateway = await start(paper, { plugins: [commanding(() => lateMisdeeds[settings.misdeed].run())] })
    const before = listeners()
    process.on('unhandledRejection', rejection)
    breakApplication()
    await settle()
    const ofApplication = heard.splice(0)
    await paper.say('1', '/late')
    await until(() => heard.length > 0 && placesOf(gateway).some(({ failures }) => failures > 0))
    process.off('unhandledRejection', rejection)
    report({ ofApplication, ofPlugin: heard, places: placesOf(gateway), listeners: { before, after: listeners() } })
    await gateway.stop()
  },

  /** Two gateways, of which one stops; in the end the plugin of one that has stopped does it. */
  async 'two gateways'() {
    const papers = [new PaperPlatform(), new PaperPlatform()] as const
    const misdo = (): void => lateMisdeeds[settings.misdeed].run()
    const before = listeners()
    const [one, other] = [
      await start(papers[0], { plugins: [commanding(misdo, 'one')] }),
      await start(papers[1], { plugins: [commanding(misdo, 'other')] }),
    ]
    await papers[0].say('1', '/one')
    await until(() => placesOf(one, 'one').some(({ failures }) => failures > 0))
    await one.stop()
    await papers[1].say('1', '/other')
    await until(() => placesOf(other, 'other').some(({ failures }) => failures > 0))
    const counted = placesOf(other, 'other').map(({ failures }) => failures)
    await other.stop()
    report({ counted, listeners: { before, after: listeners() } })
  },

  /** What a plugin does when its gateway has stopped is the business of the application again. */
  async 'after the end'() {
    const paper = new PaperPlatform()
    let isCalled = false
    const misdoLater = (): void => {
      isCalled = true
      setTimeout(() => lateMisdeeds[settings.misdeed].run(), 500)
    }
    const gateway = await start(paper, { plugins: [commanding(misdoLater)] })
    await paper.say('1', '/late')
    await until(() => isCalled)
    await gateway.stop()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    report({})
  },
} as const

await scenes[settings.scene]()
