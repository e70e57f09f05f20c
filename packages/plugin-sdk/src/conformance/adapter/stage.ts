import assert from 'node:assert/strict'
import type { ChatAddress } from '../../addresses.js'
import type { Receipt } from '../../events.js'
import type { Call, OutboundMessage, SendOutcome } from '../../messages.js'
import { AdapterHost } from './adapter-host.js'
import type { SuiteCase } from '../case-groups.js'
import { within } from '../waiting.js'
import type { AdapterUnderTest, PlatformDouble } from './platform-double.js'

/** A promise of adapters, and what finds it broken. */
export type AdapterCase = SuiteCase<Stage>

/** One platform, and the connections that a case makes to it. */
export class Stage {
  readonly double: PlatformDouble
  readonly secrets: readonly string[]
  readonly #create: AdapterUnderTest['create']
  readonly #hosts: AdapterHost[] = []

  constructor({ double, secrets, create }: AdapterUnderTest) {
    this.double = double
    this.secrets = secrets
    this.#create = create
  }

  get dm(): ChatAddress {
    return this.double.chats.dm
  }

  /** A chat of many, where there is one. */
  get groupOrDm(): ChatAddress {
    return this.double.chats.group ?? this.dm
  }

  /** The double, with an optional member that a case cannot do without. */
  able<K extends keyof PlatformDouble>(member: K): PlatformDouble & Required<Pick<PlatformDouble, K>> {
    if (!this.double[member]) assert.fail(`The double has no \`${member}\`: give it one, or skip this case or its group with a reason.`)
    return this.double as PlatformDouble & Required<Pick<PlatformDouble, K>>
  }

  /** A new adapter with a host of its own, not connected. */
  host(): AdapterHost {
    const host = new AdapterHost(this.#create())
    this.#hosts.push(host)
    return host
  }

  /** A new adapter, connected. */
  async connected(options: { readonly isReconnect?: boolean | undefined } = {}): Promise<AdapterHost> {
    const host = this.host()
    await within(host.connect(options), 'connect resolves')
    return host
  }

  /** Ends every connection and the platform. */
  async end(): Promise<void> {
    try {
      await Promise.all(this.#hosts.map((host) => within(leave(host), 'disconnect resolves')))
    } finally {
      await this.double.stop()
    }
  }
}

/** Ends a connection as the core does. */
export async function leave({ end, adapter }: AdapterHost): Promise<void> {
  end.abort()
  await adapter.disconnect(AbortSignal.timeout(1_000))
}

/** Sends plain text, as the core does. */
export function send({ adapter }: AdapterHost, chat: ChatAddress, message: Partial<OutboundMessage & Call>): Promise<SendOutcome> {
  const { signal = new AbortController().signal, ...rest } = message
  return within(adapter.send(chat, { text: 'hello', format: 'plain', ...rest }, { key: 'k'.repeat(24), signal }), 'send resolves')
}

/** A receipt that a case gives when it wants to. */
export function openReceipt(): { readonly receipt: Promise<Receipt>; readonly give: (receipt: Receipt) => void } {
  let give: (receipt: Receipt) => void = () => undefined
  const receipt = new Promise<Receipt>((resolve) => (give = resolve))
  return { receipt, give }
}
