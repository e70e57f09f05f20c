import { hideSecret, type Logger, type SharedOptions } from '@hermes/plugin-sdk'
import { accessMode, createAccess, type Access } from '../access/index.js'
import { createDelivery, type Delivery } from '../delivery/index.js'
import { createHookBus, createPluginHost, type HookBus, type PluginEntry, type PluginHost } from '../hooks/index.js'
import { createIntake } from '../intake/index.js'
import { createLogger, createRedactor, LateFailureWatch, loggerFor, randomIds, redactLogger, systemClock } from '../kernel/index.js'
import { menuOf, reservedCommandNames } from '../commands/index.js'
import { memoryStore, type StateStore } from '../store/index.js'
import { followAnswer } from '../streaming/index.js'
import { createLocalDispatch, createTurns, type Turns } from '../turns/index.js'
import { AdapterDirectory } from './adapter-directory.js'
import { createAdapterSupervisor } from './adapter-supervisor.js'
import { createAttachmentFetcher } from './attachment-fetcher.js'
import { createCommandMenus, type CommandMenus } from './command-menus.js'
import { hookTimeoutMs, type ParsedGatewayOptions } from './gateway-options.js'
import { createHookNews } from './hook-news.js'
import { createHousekeeping, type Housekeeping } from './housekeeping.js'
import { createInboundRouter, type InboundRouter } from './inbound-router.js'
import { openMedia } from './media.js'
import { agentPlugins, createPluginLoader, type PluginLoader } from './plugin-loader.js'
import { createTurnEngine } from './turn-engine.js'
import { createPluginServices } from './plugin-services.js'
import { createStoreGate, type StoreGate } from './store-gate.js'
import { answerRequest } from './web-requests.js'
import { createTurnHooks } from './turn-hooks.js'

/** The stations of a gateway, wired. */
export interface House {
  readonly store: StateStore
  readonly storeGate: StoreGate
  readonly hooks: HookBus
  readonly watch: LateFailureWatch
  readonly plugins: PluginHost
  readonly loader: PluginLoader
  readonly adapters: AdapterDirectory
  readonly access: Access
  readonly router: InboundRouter
  readonly turns: Turns
  readonly delivery: Delivery
  readonly housekeeping: Housekeeping
  /** Answers a request of a platform. */
  readonly answer: (request: Request) => Promise<Response>
  readonly shutdown: AbortController
  /** The plugins of the options, in order; the agent's own tools come first. */
  readonly ownPlugins: readonly PluginEntry[]
}

/** What every station stands on. */
function layFoundation(options: ParsedGatewayOptions) {
  const clock = options.clock ?? systemClock
  const ids = options.ids ?? randomIds
  const redactor = createRedactor()
  for (const secret of options.secrets) redactor.add(hideSecret(secret))
  const logger = options.logger ? redactLogger(options.logger, redactor) : createLogger({ redactor })
  const store = options.store ?? memoryStore()
  const watch = new LateFailureWatch()
  const hooks = createHookBus({ clock, logger, redact: redactor.redact, watch, timeoutMs: hookTimeoutMs(options) })
  return { clock, ids, redactor, logger, store, hooks, watch, shutdown: new AbortController() }
}

/** The whole wiring on one page: a message walks from top to bottom. */
// oxlint-disable-next-line eslint/max-lines-per-function -- a list of stations, each wired once; parts of it would hide what leads where
export function compose(options: ParsedGatewayOptions): House {
  const { clock, ids, redactor, logger, store, shutdown, hooks, watch } = layFoundation(options)
  const { signal } = shutdown
  const news = createHookNews(hooks, redactor)
  const shared = { store, clock, ids, logger, signal, hooks, connectedSince: (adapter: string) => adapters.connectedSince(adapter) }

  const media = openMedia(options.dataDir, store, ids)
  const files = createAttachmentFetcher({ clock, logger, media, adapter: (name) => adapters.get(name) })

  const menus: CommandMenus = createCommandMenus({
    ...shared,
    commands: () => menuOf(plugins.commands()),
    adapter: (name) => adapters.get(name),
  })
  const onCommandsChanged = (): void => menus.changed()
  const storeGate = createStoreGate(signal)
  const plugins: PluginHost = createPluginHost({
    ...shared,
    redactor,
    watch,
    services: (plugin) =>
      createPluginServices(plugin, {
        ...shared,
        whenOpen: storeGate.whenOpen,
        waitingLimit: options.limits.waitingPerConversation,
        delivery: () => delivery,
        turns: () => turns,
        hasAdapter: (name) => adapters.options(name) !== undefined,
        onStored: () => intake.hold(1),
      }),
    reservedCommands: reservedCommandNames,
    onCommandsChanged,
  })
  const adapters: AdapterDirectory = new AdapterDirectory((name, registration) =>
    createAdapterSupervisor({
      ...shared,
      name,
      registration,
      logger: loggerFor(logger, { adapter: name }),
      redactor,
      receive: (account, event) => intake.receive({ adapter: name, account }, event),
      wiring: (adapter) => plugins.wiring(adapter),
      commands: (adapter) => menus.of(adapter),
      async onConnected({ isReconnect }) {
        news.adapterConnected({ adapter: name, platform: registration.platform, isReconnect })
        files.connected(name)
        await Promise.all([delivery.connected(name), router.recover(name), menus.connected(name)])
      },
      onFailed: (failure, nextAttemptAt) => news.adapterFailed({ adapter: name, platform: registration.platform, failure, nextAttemptAt }),
    }),
  )
  plugins.onPlatform((name, registration) => {
    sayWhoMaySpeak(name, registration.options, logger)
    return adapters.add(name, registration)
  })

  const intake = createIntake({
    ...shared,
    capacity: options.limits.inboxRows,
    admit: (adapter, event) => access.admit(adapter, event),
    onNotStored: (adapter, event) => access.takeBack(adapter, event),
    plan: (adapter, events) => router.plan(adapter, events),
    onStored: (row, conversation) => router.route(row, conversation),
  })
  const delivery = createDelivery({ ...shared, adapters, onUnknown: options.onUnknown, onOutcome: (row, about) => news.pieceWent(row, about) })
  const access = createAccess({
    ...shared,
    delivery,
    messagesPerMinute: options.limits.messagesPerMinute,
    optionsOf: (adapter) => adapters.options(adapter),
  })
  const turns = createTurns({
    ...shared,
    engine: createTurnEngine(options, { ...shared, hooks: createTurnHooks(hooks, redactor), media, plugins }),
    files,
    delivery: {
      compose: (...piece) => delivery.compose(...piece),
      live: (turn, replyTo) => followAnswer(delivery.live(turn.chat, { turn: turn.id, replyTo })),
    },
    dispatch: createLocalDispatch(options.limits.concurrentTurns),
    waitingLimit: options.limits.waitingPerConversation,
    whenOpen: storeGate.whenOpen,
    onStored: () => intake.hold(1),
    onTaken: (rows) => intake.release(rows),
  })
  const router = createInboundRouter({
    ...shared,
    waitingLimit: options.limits.waitingPerConversation,
    judge: (adapter, event) => access.judge(adapter, event),
    offerCode: (...row) => access.pairing.offer(...row),
    onSettled: () => intake.release(1),
    commands: {
      ...shared,
      turns,
      delivery,
      pairing: access.pairing,
      pluginCommand: (name) => plugins.command(name),
      pluginCommands: () => plugins.commands(),
      recordOf: (command) => plugins.recordOf(command),
    },
  })
  const housekeeping = createHousekeeping(shared)
  const web = { ...shared, has: (name: string) => adapters.options(name) !== undefined, adapter: (name: string) => adapters.get(name) }
  const answer = (request: Request): Promise<Response> => answerRequest(request, web)

  const loader = createPluginLoader({ plugins, logger, redactor, signal })
  const ownPlugins = [...agentPlugins(options.agent), ...options.plugins]
  return { store, storeGate, hooks, watch, plugins, loader, adapters, access, router, turns, delivery, housekeeping, answer, shutdown, ownPlugins }
}

const whoMaySpeak = {
  everybody: 'Everybody may speak to this bot: the option allowAll is set.',
  nobody: 'Nobody may speak to this bot: set allowFrom, allowChats, allowRoles, admins or allowAll.',
  pairing: 'Who is in no list of this bot and writes to it gets a pairing code, which an admin can approve (unknownSenders: pair).',
  listed: 'Only those in the lists of this bot may speak to it.',
} as const

/** Said once: a bot that is open to everybody, or to nobody, is seldom meant. */
function sayWhoMaySpeak(adapter: string, options: SharedOptions, logger: Logger): void {
  const mode = accessMode(options)
  const level = mode === 'everybody' || mode === 'nobody' ? 'warn' : 'info'
  logger[level]({ adapter, mode }, whoMaySpeak[mode])
}
