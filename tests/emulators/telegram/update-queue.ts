import type { Update } from '@grammyjs/types'
import { accepted, refusals } from './api-reply.js'
import type { ApiReply } from './api-reply.js'

/** Parameters of one `getUpdates`, within the server's bounds. */
export interface PollRequest {
  readonly offset: number
  readonly limit: number
  readonly timeoutMs: number
}

interface OpenPoll {
  readonly limit: number
  end(reply: ApiReply): void
}

/** Kinds that a bot gets only when it asks for them by name. */
const kindsOnRequest = new Set(['chat_member', 'message_reaction', 'message_reaction_count'])

/**
 * The updates of the bot that are not confirmed yet. An update is confirmed by a poll whose offset lies beyond it, and only then
 * forgotten. One poll is open at a time: a second one ends the first with a conflict.
 */
export class UpdateQueue {
  #pending: Update[] = []
  #nextId = 500_000_001
  #firstUnconfirmed = 0
  #allowedKinds: ReadonlySet<string> | undefined
  #poll: OpenPoll | undefined
  /** Hears of every update that is queued. */
  onPush: () => void = () => {}

  /** Updates that are neither confirmed nor dropped, oldest first. */
  get pending(): readonly Update[] {
    return this.#pending
  }

  /** Whether a long poll waits right now. */
  get isPolled(): boolean {
    return this.#poll !== undefined
  }

  /** Whether a poll has moved its offset beyond this update. */
  isConfirmed(updateId: number): boolean {
    return updateId < this.#firstUnconfirmed
  }

  /** Queues an update under the next id, or under its own when it has one, and hands it to the open poll. */
  push(content: Partial<Update>): Update {
    const update = { update_id: this.#nextId, ...content }
    this.#nextId = Math.max(this.#nextId, update.update_id) + 1
    if (!this.#isWanted(content)) return update
    this.#pending.push(update)
    this.#poll?.end(this.#batch(this.#poll.limit))
    this.onPush()
    return update
  }

  /** From now on only these kinds are queued; an empty list is the server's default. */
  allow(kinds: readonly string[]): void {
    this.#allowedKinds = kinds.length === 0 ? undefined : new Set(kinds)
  }

  /** Answers at once when something is there or no time is given, else with the first update or, after the time, with none. */
  async poll(request: PollRequest, signal: AbortSignal): Promise<ApiReply> {
    this.endPoll(refusals.otherPoll)
    this.confirm(request.offset)
    if (this.#pending.length > 0 || request.timeoutMs === 0 || signal.aborted) return this.#batch(request.limit)
    return new Promise((resolve) => {
      const leave = (): void => poll.end(accepted([]))
      const timer = setTimeout(leave, request.timeoutMs)
      const poll: OpenPoll = {
        limit: request.limit,
        end: (reply) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', leave)
          this.#poll = undefined
          resolve(reply)
        },
      }
      this.#poll = poll
      signal.addEventListener('abort', leave, { once: true })
    })
  }

  /** Answers the open poll, if there is one. */
  endPoll(reply: ApiReply): void {
    this.#poll?.end(reply)
  }

  /** Forgets everything that waits, as `drop_pending_updates` does. Dropped is not confirmed. */
  drop(): void {
    this.#pending = []
  }

  #batch(limit: number): ApiReply {
    return accepted(this.#pending.slice(0, limit))
  }

  /** Forgets the updates before an offset. */
  confirm(offset: number): void {
    const first = offset < 0 ? this.#pending.at(offset)?.update_id : offset
    if (first === undefined || first === 0) return
    this.#firstUnconfirmed = Math.max(this.#firstUnconfirmed, Math.min(first, this.#nextId))
    const kept = this.#pending.findIndex((update) => update.update_id >= first)
    this.#pending.splice(0, kept === -1 ? this.#pending.length : kept)
  }

  #isWanted(content: Partial<Update>): boolean {
    const kind = Object.keys(content).find((name) => name !== 'update_id')
    if (kind === undefined) return true
    return this.#allowedKinds ? this.#allowedKinds.has(kind) : !kindsOnRequest.has(kind)
  }
}
