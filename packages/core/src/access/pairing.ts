import type { Author, RoutedChat } from '@hermes/plugin-sdk'
import { notices } from '../kernel/index.js'
import {
  persist,
  type InboxSettlement,
  type NewOutboxRecord,
  type PairedPerson,
  type PairingRequest,
  type StoreCommandName,
  type StoreCommands,
} from '../store/index.js'
import { findByCode, newPairingCode } from './pairing-code.js'
import { PairingMemory, pairingLimits } from './pairing-memory.js'
import type { AccessPorts } from './ports.js'

/** A code is stored nowhere, so it is said a few times where the platform does not take it at once. */
const tellTries = 3
const tellWaitMs = 2000
const longestTellWaitMs = 60_000

/** A request, as people may see it: without anything of its code. */
export type WaitingPerson = Omit<PairingRequest, 'salt' | 'hash' | 'chat'>

/** Who waits to be let in, and who was. */
export interface PairingList {
  readonly waiting: readonly WaitingPerson[]
  readonly paired: readonly PairedPerson[]
}

/** Whose request is meant: the one with this code, or that of a person. */
export type PairingChoice = { readonly adapter: string; readonly code: string } | { readonly adapter: string; readonly userId: string }

/** `unknown`: there is no such request, or not any more. `locked`: after five wrong codes in a row no code is taken until then. */
export type PairingApproval =
  | { readonly outcome: 'approved'; readonly person: PairedPerson }
  | { readonly outcome: 'unknown' }
  | { readonly outcome: 'locked'; readonly until: number }

/** What belongs to an approval in a chat: it is one transaction with its reply. */
export interface ApprovalFrame {
  readonly by: string
  readonly settles: InboxSettlement
  reply(person: WaitingPerson): readonly NewOutboxRecord[]
}

/** Lets people in who were given a code. */
export class Pairing {
  readonly #ports: AccessPorts
  readonly #memory: PairingMemory

  constructor(ports: AccessPorts) {
    this.#ports = ports
    this.#memory = new PairingMemory(ports.clock)
  }

  /** Reads what an earlier process stored. Before it nobody is paired. */
  async load(): Promise<void> {
    this.#memory.load(await this.#ports.store.execute('pairing.list', {}))
  }

  isPaired(adapter: string, userId: string): boolean {
    return this.#memory.isPaired(adapter, userId)
  }

  /** Is there a code for this person now? Then it is kept for them, and nobody else gets it. */
  reserve(adapter: string, userId: string): boolean {
    return this.#memory.reserve(adapter, userId)
  }

  /** Nothing came of the reservation. */
  release(adapter: string, userId: string): void {
    this.#memory.release(adapter, userId)
  }

  /** Gives a code to who wrote the row, where there is one, and settles the row. The code is sent once and stored nowhere. */
  async offer(seq: number, chat: RoutedChat, author: Author): Promise<void> {
    const at = this.#ports.clock.now()
    const { code, salt, hash } = newPairingCode()
    const request: PairingRequest = {
      adapter: chat.adapter,
      userId: author.id,
      name: author.name,
      chat,
      salt,
      hash,
      requestedAt: at,
      expiresAt: at + pairingLimits.lifetimeMs,
    }
    const stored = await this.#insist('pairing.request', {
      request,
      limit: pairingLimits.pending,
      quietSince: at - pairingLimits.quietMs,
      settles: { seq, reason: 'unpaired' },
      at,
    })
    if (stored === 'stored') {
      this.#memory.asked(request)
      void this.#tell(request, code)
      return
    }
    if (stored === 'paired') this.#memory.approved(request)
    this.#ports.logger.debug({ adapter: chat.adapter, author: author.id, reason: stored }, 'Somebody unknown gets no code now.')
  }

  /** Rejects with an error of the store. */
  async approve(choice: PairingChoice, frame?: ApprovalFrame): Promise<PairingApproval> {
    const { adapter } = choice
    const found = 'code' in choice ? await this.#tryCode(adapter, choice.code) : await this.#findRequest(adapter, choice.userId)
    if ('outcome' in found) return found
    const { delivery, clock, logger } = this.#ports
    const welcome = delivery.compose(found.chat, notices['pairing.approved'](), { format: 'plain' })
    const outbox = [...welcome, ...(frame?.reply(withoutCode(found)) ?? [])]
    const args = { adapter, userId: found.userId, by: frame?.by, settles: frame?.settles, outbox, at: clock.now() }
    const approved = await this.#insist('pairing.approve', args)
    if (approved.outcome === 'unknown') return approved
    this.#memory.approved(approved.person)
    logger.info({ adapter, author: found.userId, by: frame?.by }, 'Somebody was let in: a pairing was approved.')
    delivery.take(approved.outbox)
    return { outcome: 'approved', person: approved.person }
  }

  async list(): Promise<PairingList> {
    const now = this.#ports.clock.now()
    const { requests, paired } = await this.#ports.store.execute('pairing.list', {})
    return { waiting: requests.filter((request) => request.expiresAt > now).map(withoutCode), paired }
  }

  /** Answers whether there was anything to take back. */
  async revoke(adapter: string, userId: string): Promise<boolean> {
    this.#memory.revoked(adapter, userId)
    const wasThere = await this.#insist('pairing.revoke', { adapter, userId })
    if (wasThere) this.#ports.logger.info({ adapter, author: userId }, 'A pairing was revoked.')
    return wasThere
  }

  /** Nobody waits for it. What is certainly not seen is said again a little later; a code that nobody saw lets its person ask again in ten minutes. */
  async #tell({ adapter, userId, name, chat }: PairingRequest, code: string): Promise<void> {
    const { logger, delivery, clock, signal } = this.#ports
    const text = notices['pairing.offer'](code, pairingLimits.lifetimeMs / 60_000)
    let outcome = await delivery.tell(chat, text)
    for (let again = 1; again < tellTries && outcome.status === 'rejected' && !signal.aborted; again++) {
      await clock.sleep(Math.min(outcome.retryAfterMs ?? tellWaitMs, longestTellWaitMs), signal).catch(() => undefined)
      outcome = await delivery.tell(chat, text)
    }
    if (outcome.status === 'rejected') {
      logger.warn({ adapter, author: userId, reason: outcome.reason, detail: outcome.detail }, 'A pairing code could not be sent.')
      return
    }
    const advice = 'An admin approves it with /pair and the code, the application with gateway.access.approve().'
    logger.info({ adapter, author: userId, name }, `Somebody unknown was given a pairing code. ${advice}`)
  }

  async #tryCode(adapter: string, code: string): Promise<PairingRequest | Exclude<PairingApproval, { outcome: 'approved' }>> {
    const at = this.#ports.clock.now()
    const args = { adapter, limit: pairingLimits.failures, lockedUntil: at + pairingLimits.lockMs, at }
    const attempt = await this.#insist('pairing.attempt', args)
    if (attempt.outcome === 'locked') return attempt
    const found = findByCode(attempt.requests, code)
    if (found) return found
    this.#ports.logger.warn({ adapter }, 'A pairing code was wrong.')
    return { outcome: 'unknown' }
  }

  async #findRequest(adapter: string, userId: string): Promise<PairingRequest | { readonly outcome: 'unknown' }> {
    const { requests } = await this.#ports.store.execute('pairing.list', {})
    return requests.find((request) => request.adapter === adapter && request.userId === userId) ?? { outcome: 'unknown' }
  }

  #insist<N extends StoreCommandName>(name: N, args: StoreCommands[N]['args']): Promise<StoreCommands[N]['result']> {
    const { store, ids, clock, signal } = this.#ports
    return persist(store, { id: ids.next('command'), name, args }, { clock, signal })
  }
}

function withoutCode({ adapter, userId, name, requestedAt, expiresAt }: PairingRequest): WaitingPerson {
  return { adapter, userId, name, requestedAt, expiresAt }
}
