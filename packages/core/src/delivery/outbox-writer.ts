import type { Clock, Logger, SendOutcome } from '@hermes/plugin-sdk'
import type { Ids } from '../kernel/index.js'
import {
  persist,
  type NewOutboxRecord,
  type OutboxRecord,
  type StateStore,
  type StoreCommandName,
  type StoreCommands,
  type StoredOutcome,
} from '../store/index.js'
import type { PieceChanges } from './outcome-policy.js'

/** The longest detail of an outcome that is stored, characters. */
const longestDetail = 2000

/** What the writer needs of the house. */
export interface OutboxWriterPorts {
  readonly store: StateStore
  readonly clock: Clock
  readonly ids: Ids
  readonly logger: Logger
  /** Nothing is begun any more. */
  readonly stopping: AbortSignal
  /** Nothing is ended any more. */
  readonly ending: AbortSignal
}

/**
 * The outbox in the store. Every command is tried until the store takes it; each rejects when its time is over (the reads and marks
 * with `stopping`, the ends of calls with `ending`), and where trying again cannot help.
 */
export class OutboxWriter {
  readonly #ports: OutboxWriterPorts

  constructor(ports: OutboxWriterPorts) {
    this.#ports = ports
  }

  read(adapter: string, after: number, limit: number): Promise<readonly OutboxRecord[]> {
    return this.#insist('outbox.open', { adapter, after, limit }, this.#ports.stopping)
  }

  /** On disk before the call. `gone`: the row is not pending, so there is nothing to send. */
  attempt(key: string): Promise<'attempting' | 'gone'> {
    return this.#insist('outbox.attempt', { key, at: this.#ports.clock.now() }, this.#ports.stopping)
  }

  settle(key: string, state: 'sent' | 'dropped' | 'held', outcome: SendOutcome): Promise<void> {
    const args = { key, state, outcome: toStored(outcome), at: this.#ports.clock.now() }
    return this.#insist('outbox.settle', args, this.#ports.ending)
  }

  /** Puts a row back and answers it as it is now. */
  async postpone(row: OutboxRecord, outcome: SendOutcome, next: { readonly dueAt: number; readonly changes: PieceChanges }): Promise<OutboxRecord> {
    const { dueAt, changes } = next
    const stored = toStored(outcome)
    const at = this.#ports.clock.now()
    await this.#insist('outbox.postpone', { key: row.key, dueAt, outcome: stored, changes, at }, this.#ports.ending)
    return { ...row, ...changes, state: 'pending', dueAt, outcome: stored, updatedAt: at }
  }

  replace(key: string, rows: readonly NewOutboxRecord[], outcome: SendOutcome): Promise<readonly OutboxRecord[]> {
    const args = { key, rows, outcome: toStored(outcome), at: this.#ports.clock.now() }
    return this.#insist('outbox.replace', args, this.#ports.ending)
  }

  #insist<N extends StoreCommandName>(name: N, args: StoreCommands[N]['args'], signal: AbortSignal): Promise<StoreCommands[N]['result']> {
    const { store, clock, ids, logger } = this.#ports
    const command = { id: ids.next('command'), name, args }
    return persist(store, command, {
      clock,
      signal,
      onFailure: (error, waitMs) =>
        logger.warn({ command: name, waitMs, error }, 'The store did not take a command of the outbox; it is tried again.'),
    })
  }
}

/** An outcome as it is stored: plain data, without its cause. */
function toStored(outcome: SendOutcome): StoredOutcome {
  switch (outcome.status) {
    case 'sent':
      return { status: 'sent', ids: [...outcome.ids], chat: outcome.chat && { ...outcome.chat } }
    case 'unknown':
      return { status: 'unknown', detail: outcome.detail.slice(0, longestDetail) }
    case 'rejected': {
      const { reason, retryAfterMs, movedTo } = outcome
      return { status: 'rejected', reason, detail: outcome.detail.slice(0, longestDetail), retryAfterMs, movedTo: movedTo && { ...movedTo } }
    }
  }
}
