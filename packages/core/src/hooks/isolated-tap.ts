import { HermesError, type HookContext, type HookName } from '@hermes/plugin-sdk'
import { runAsOurs, takeTurn } from '../kernel/index.js'
import { CallRecord, type RecordPorts } from './call-record.js'
import type { HookCall } from './hook-call.js'
import type { HookHealth } from './hook-health.js'
import type { HookPolicy } from './hook-policies.js'
import { callIdentity, platformOf, turnSignalOf } from './payload-facts.js'
import { TapContext } from './tap-context.js'

/** So many calls that are over their time may go on unheard … */
const mostOverdue = 3
/** … and where a hook has no time limit, a call is over its time after so long. */
const overdueMs = 30_000
/** Calls of one tap that are under way at once. Only observers that nobody waits for come near it. */
const mostPending = 1000

/** The foreign code of a tap, as any kind of tapable tap is called once it is brought to one form. */
export type TapFunction = (payload: object, context: HookContext) => unknown

/** What an isolated tap is made of. */
export interface TapParts extends RecordPorts {
  readonly owner: string
  readonly hook: HookName
  readonly run: TapFunction
  /** It is called for chats of this platform only. */
  readonly platform?: string | undefined
  readonly policy: HookPolicy
  /** Milliseconds; `undefined`: none. */
  readonly timeoutMs: number | undefined
}

/** A call that went async. */
interface PendingCall {
  readonly since: number
  readonly identity: string | undefined
  giveUp(reason: CutOff): void
}

/** Why nobody waits for a call any more, where that is not the tap's fault. */
class CutOff {
  readonly #why: string

  constructor(why: string) {
    this.#why = why
  }

  get why(): string {
    return this.#why
  }

  /** Asks nothing of what was thrown: that may be a proxy whose traps throw. */
  static is(thrown: unknown): thrown is CutOff {
    return typeof thrown === 'object' && thrown !== null && #why in thrown
  }
}

interface LateCall {
  readonly call: HookCall
  readonly context: TapContext
  readonly since: number
}

/**
 * A tap that cannot harm its hook, whatever it throws, answers, or never does. It is made once, when it is registered; a call costs a
 * `try`, and a timer only if the tap goes async. An endless loop is beyond it: nothing in one thread can end that.
 */
export class IsolatedTap {
  readonly owner: string
  readonly hook: HookName
  readonly record: CallRecord
  readonly #parts: Omit<TapParts, 'run'>
  readonly #pending = new Set<PendingCall>()
  #run: TapFunction | undefined

  constructor({ run, ...parts }: TapParts) {
    this.owner = parts.owner
    this.hook = parts.hook
    this.record = new CallRecord(parts, parts)
    this.#parts = parts
    this.#run = run
  }

  /**
   * Calls the tap, in its turn; its answer goes to the call's fold. A promise, which never rejects, if somebody has to wait for it. Once disposed it
   * calls nothing.
   */
  run(call: HookCall): Promise<void> | undefined {
    const run = this.#run
    const { payload } = call.fold
    if (!run || !this.#concerns(payload)) return undefined
    const refusal = this.#refusal(payload)
    if (refusal !== undefined) {
      call.fold.fail?.(this.owner, refusal)
      return undefined
    }
    this.record.began()
    try {
      const context = new TapContext()
      takeTurn(this.record)
      const answer = run(payload, context)
      const isLate = isThenable(answer)
      if (isLate && this.#parts.policy.mode !== 'sync') {
        const late = { call, context, since: this.#parts.clock.now() }
        return runAsOurs(() => this.#wait(answer, late))
      }
      // Nobody waits for what a synchronous hook gets late; the promise itself is the wrong answer then.
      if (isLate) fromForeign(answer).catch(ignore)
      this.#accept(answer, call)
    } catch (error) {
      this.#fail(error, call)
    }
    return undefined
  }

  /** It is never called again, and nobody waits for it any more: a hook that it was to decide takes it for failed. */
  dispose(): void {
    if (!this.#run) return
    this.#run = undefined
    for (const pending of this.#pending) pending.giveUp(new CutOff('it was taken out while it ran'))
  }

  get isDisposed(): boolean {
    return this.#run === undefined
  }

  health(): HookHealth {
    return this.record.health({ pending: this.#pending.size, isDisposed: this.isDisposed })
  }

  #concerns(payload: object): boolean {
    const { platform } = this.#parts
    return platform === undefined || platformOf(payload) === platform
  }

  /** Why it cannot be called just now. */
  #refusal(payload: object): string | undefined {
    if (this.record.isSuppressed()) return 'it took too long, and is left out for a while'
    if (this.#pending.size === 0) return undefined
    const now = this.#parts.clock.now()
    const { timeoutMs = overdueMs } = this.#parts
    let overdue = 0
    const identity = callIdentity(payload)
    for (const pending of this.#pending) {
      if (pending.since + timeoutMs <= now && ++overdue >= mostOverdue) return `${mostOverdue} of its calls have not ended in time`
      if (identity !== undefined && pending.identity === identity) return 'its last call for the same thing has not ended'
    }
    return this.#pending.size >= mostPending ? `${mostPending} of its calls have not ended` : undefined
  }

  async #wait(answer: PromiseLike<unknown>, { call, context, since }: LateCall): Promise<void> {
    const { clock, timeoutMs } = this.#parts
    const { payload } = call.fold
    const over = new AbortController()
    const turnSignal = turnSignalOf(payload)
    const settled = new Promise<unknown>((resolve, reject) => {
      const pending = { since, identity: callIdentity(payload), giveUp: reject }
      this.#pending.add(pending)
      const end = (settle: (value: unknown) => void) => (value: unknown) => {
        this.#pending.delete(pending)
        settle(value)
      }
      // Foreign promises may be anything: they settle twice, late, or throw when they are asked.
      void this.record.run(fromForeign, answer).then(end(resolve), end(reject))
      const expire = (ms: number): void => {
        if (this.#pending.has(pending)) reject(this.#timeOut(ms))
      }
      if (timeoutMs !== undefined) clock.sleep(timeoutMs, over.signal).then(() => expire(timeoutMs), ignore)
      const leave = (): void => reject(new CutOff('its turn ended meanwhile'))
      // A turn that is over already has hooks, too: they have their time.
      if (turnSignal?.aborted === false) turnSignal.addEventListener('abort', leave, { signal: over.signal, once: true })
    })
    try {
      this.#accept(await settled, call, since)
    } catch (error) {
      context.end(CutOff.is(error) ? new HermesError('stopped', `Nobody waits for it: ${error.why}.`, { what: this.hook }) : error)
      this.#fail(error, call, since)
    } finally {
      over.abort()
    }
  }

  #timeOut(timeoutMs: number): Error {
    if (!this.isDisposed) {
      this.record.timedOut()
      this.record.suppress()
    }
    const what = `hook ${this.hook} of ${this.owner}`
    return new HermesError('timed-out', `It did not end within ${timeoutMs} ms.`, { what, timeoutMs })
  }

  #accept(answer: unknown, call: HookCall, since?: number): void {
    const { read } = this.#parts.policy
    const told = answer === undefined || answer === null || !read ? undefined : read(answer)
    this.record.succeeded(since)
    if (told !== undefined) call.fold.accept?.(told, this.owner)
  }

  #fail(error: unknown, call: HookCall, since?: number): void {
    const why = CutOff.is(error) ? error.why : this.record.failed(error, since)
    call.fold.fail?.(this.owner, why)
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

async function fromForeign(answer: PromiseLike<unknown>): Promise<unknown> {
  return await answer
}

function ignore(): void {}
