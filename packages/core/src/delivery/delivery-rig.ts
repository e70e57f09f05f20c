import type {
  Adapter,
  AdapterFailure,
  Call,
  ChatAddress,
  ChatCapabilities,
  Clock,
  OutboundMessage,
  RoutedChat,
  SendOutcome,
} from '@hermes/plugin-sdk'
import { randomIds } from '../kernel/index.js'
import { memoryStore, type OutboxRecord, type StateStore } from '../store/index.js'
import { createDelivery } from './delivery.js'
import type { ComposeOptions, UnknownRule } from './ports.js'

/** What a scripted adapter does at a call: answers, throws, or never settles unless it is told to stop. */
export type ScriptedAnswer = SendOutcome | Error | 'hang'

/** A call as the adapter saw it. */
export interface SeenCall extends OutboundMessage {
  readonly chat: ChatAddress
  readonly key: string
}

/** An adapter that answers by a script, then with `sent`. */
export class ScriptedAdapter implements Adapter {
  readonly platform = 'test'
  readonly script: ScriptedAnswer[] = []
  readonly seen: SeenCall[] = []
  aborted = 0
  text: ChatCapabilities['text'] = { limit: 4096, unit: 'utf16', dialect: 'markdown' }

  async connect(): Promise<void> {}
  async disconnect(): Promise<void> {}

  capabilities(): ChatCapabilities {
    return { text: this.text }
  }

  send(chat: ChatAddress, message: OutboundMessage, call: Call): Promise<SendOutcome> {
    this.seen.push({ ...message, chat, key: call.key })
    return this.answer(call)
  }

  async answer(call: Call): Promise<SendOutcome> {
    const answer = this.script.shift() ?? { status: 'sent', ids: [] }
    if (answer instanceof Error) throw answer
    if (answer !== 'hang') return answer
    return new Promise((resolve) => call.signal.addEventListener('abort', () => resolve(this.#stop()), { once: true }))
  }

  #stop(): SendOutcome {
    this.aborted++
    return { status: 'unknown', detail: 'told to stop' }
  }
}

/** What a test may choose. */
export interface DeliveryRigOptions {
  readonly clock: Clock
  readonly adapter?: ScriptedAdapter
  /** One that an earlier life left. */
  readonly store?: StateStore
  readonly wrap?: (store: StateStore) => StateStore
  readonly onUnknown?: UnknownRule
  /** Default true: connected, with nothing left of an earlier life. */
  readonly isConnected?: boolean
}

/** A delivery with a real store and a scripted adapter named `bot`. */
export async function setUpDelivery(options: DeliveryRigOptions) {
  const memory = options.store ?? memoryStore()
  if (!options.store) await memory.open()
  const adapter = options.adapter ?? new ScriptedAdapter()
  const store = options.wrap?.(memory) ?? memory
  const failures: AdapterFailure[] = []
  const loud: string[] = []
  const heard: { readonly key: string; readonly status: SendOutcome['status']; readonly isLast: boolean }[] = []
  const connection = { isUp: options.isConnected ?? true, adapter }
  const delivery = createDelivery({
    store,
    clock: options.clock,
    ids: randomIds,
    logger: { debug() {}, info() {}, warn() {}, error: (_fields, message) => void loud.push(message) },
    onOutcome: (row, { outcome, isLast }) => void heard.push({ key: row.key, status: outcome.status, isLast }),
    onUnknown: options.onUnknown,
    adapters: {
      get: () => (connection.isUp ? connection.adapter : undefined),
      capabilities: () => connection.adapter.capabilities(),
      fail: (_name, failure) => {
        failures.push(failure)
        connection.isUp = false
      },
    },
  })
  if (connection.isUp) await delivery.connected('bot')
  const add = async (chat: RoutedChat, text: string, more?: ComposeOptions): Promise<readonly OutboxRecord[]> =>
    memory.execute('outbox.add', { rows: delivery.compose(chat, text, more), at: options.clock.now() })
  return {
    delivery,
    adapter,
    store: memory,
    failures,
    loud,
    /** What was said of the outcomes of calls. */
    heard,
    connection,
    /** Stores a text, and does not hand it over. */
    add,
    /** Stores a text and hands it over. */
    async post(chat: RoutedChat, text: string, more?: ComposeOptions): Promise<readonly OutboxRecord[]> {
      const rows = await add(chat, text, more)
      delivery.take(rows)
      return rows
    },
    /** The rows that are not final. */
    open: () => memory.execute('outbox.open', { after: 0, limit: 10_000 }),
    /** From now on another object is connected. */
    reconnect(): ScriptedAdapter {
      connection.adapter = new ScriptedAdapter()
      return connection.adapter
    },
    texts: () => adapter.seen.map(({ text }) => text),
  }
}

/** A chat of the instance `bot`. */
export function chatOf(chatId: string, more: Partial<RoutedChat> = {}): RoutedChat {
  return { adapter: 'bot', platform: 'test', kind: 'dm', chatId, ...more }
}

/** Lets everything happen that needs no time. */
export async function quiet(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}
