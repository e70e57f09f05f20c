import type { BotCommand, BotCommandScope, UserFromGetMe } from '@grammyjs/types'
import { Changes } from '../changes.js'
import type { WaitOptions } from '../changes.js'
import { LoopbackServer } from '../loopback-server.js'
import { ApiDesk } from './api-desk.js'
import { ApiMethods } from './api-methods.js'
import { CallbackQueries } from './callback-queries.js'
import { FaultScript } from './faults.js'
import type { Fault, PlantedFault } from './faults.js'
import { FileShelf } from './file-shelf.js'
import { Ledger } from './ledger.js'
import type { Call } from './ledger.js'
import { Script } from './script.js'
import { UpdateQueue } from './update-queue.js'
import { WebhookCourier } from './webhook-courier.js'
import { World } from './world.js'

/** Everything has a default that a test seldom cares about. */
export interface TelegramEmulatorOptions {
  /** Default `7000001:test-token`; the part before the colon is the bot's id. */
  token?: string | undefined
  /** Without `@`; default `hermes_test_bot`. */
  username?: string | undefined
  /** Calls that the ledger keeps; default 100,000. */
  ledgerLimit?: number | undefined
  /** Hears of every call that has done its work, before the client does. */
  onAccepted?: ((call: Call) => void) | undefined
}

/** A bot's Telegram on this machine: the Bot API on the wire, people and faults by script. */
export interface TelegramEmulator extends Pick<Script, keyof Script> {
  /** For grammY's `client.apiRoot`. */
  readonly url: string
  readonly token: string
  readonly me: UserFromGetMe
  readonly ledger: Ledger
  readonly faults: { add(fault: Fault): PlantedFault; clear(): void }
  /** Where updates go when the bot has set a webhook, and how each delivery was answered. */
  readonly webhook: Pick<WebhookCourier, 'route' | 'retry' | 'deliveries' | 'url'>
  /** The command menu that the bot set for a scope; default: the default scope. */
  commands(scope?: BotCommandScope['type']): readonly BotCommand[]
  /** What the bot has not confirmed yet, what it has, and whether it waits for more. */
  readonly updates: Pick<UpdateQueue, 'pending' | 'isConfirmed' | 'isPolled'>
  /**
   * Resolves with the first value of `probe` that is neither `undefined`, `null` nor `false`; looks again after every call, answer
   * and act of a person. Rejects after 10 s, and when the emulator stops.
   */
  waitFor<T>(probe: () => T | undefined | null | false, options?: WaitOptions): Promise<T>
  /** Resets every live connection. */
  cut(): void
  /** Resets every connection and refuses new ones, until `goOnline`. */
  goOffline(): Promise<void>
  /** Takes connections on the same port again. */
  goOnline(): Promise<void>
  /** Resets every connection, ends every wait, and leaves no handle open. Stopping twice is fine. */
  stop(): Promise<void>
}

/** Starts on a free port of 127.0.0.1. The caller owns the emulator and must `stop` it. */
export async function startTelegramEmulator(options: TelegramEmulatorOptions = {}): Promise<TelegramEmulator> {
  const { token = '7000001:test-token', username = 'hermes_test_bot', ledgerLimit = 100_000, onAccepted } = options
  const world = new World({ id: Number.parseInt(token, 10), username })
  const updates = new UpdateQueue()
  const ledger = new Ledger(ledgerLimit)
  const faults = new FaultScript()
  const changes = new Changes()
  const files = new FileShelf()
  const queries = new CallbackQueries()
  const webhook = new WebhookCourier(updates, () => changes.notify())
  const methods = new ApiMethods({ world, updates, files, webhook, queries })
  const desk = new ApiDesk({ token, methods, files, faults, ledger, changes, onAccepted })
  const server = await LoopbackServer.start((request, response) => void desk.serve(request, response))
  const script = new Script({ world, updates, files, queries }, () => changes.notify())
  return {
    url: server.url,
    token,
    me: world.me,
    ledger,
    faults,
    updates,
    webhook,
    commands: (scope) => methods.commands(scope && { type: scope }),
    ...verbsOf(script),
    waitFor: (probe, wait) => changes.waitFor(probe, wait),
    cut: () => server.cut(),
    goOffline: () => server.goOffline(),
    goOnline: () => server.goOnline(),
    async stop() {
      changes.stop()
      webhook.stop()
      await server.goOffline()
    },
  }
}

/** The verbs of the script as plain functions, so that they are members of the emulator. */
function verbsOf(script: Script): Pick<Script, keyof Script> {
  return {
    addUser: (more) => script.addUser(more),
    addPrivateChat: (user) => script.addPrivateChat(user),
    addGroup: (title) => script.addGroup(title),
    addSupergroup: (options) => script.addSupergroup(options),
    addTopic: (chat) => script.addTopic(chat),
    say: (chat, text, options) => script.say(chat, text, options),
    addChannel: (title) => script.addChannel(title),
    share: (chat, content, options) => script.share(chat, content, options),
    addFile: (bytes, claimedSize) => script.addFile(bytes, claimedSize),
    press: (chat, messageId, data, from) => script.press(chat, messageId, data, from),
    isWaiting: (queryId) => script.isWaiting(queryId),
    react: (chat, messageId, emojis, from) => script.react(chat, messageId, emojis, from),
    migrate: (chat) => script.migrate(chat),
    edit: (chat, messageId, text) => script.edit(chat, messageId, text),
    post: (update) => script.post(update),
    shown: (chat) => script.shown(chat),
    answers: (chat) => script.answers(chat),
  }
}
