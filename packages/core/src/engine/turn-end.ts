import { HermesError, type AssistantMessage, type CallPart, type TurnOutcome, type TurnRef } from '@hermes/plugin-sdk'
import { stopReason } from '../kernel/index.js'
import { closingResult } from './close-calls.js'
import { classifyFailure } from './failures.js'
import type { HostedTurn } from './hosted-turn.js'
import type { KnownCalls } from './known-calls.js'
import type { ToolCalls } from './tool-calls.js'
import { openCalls } from './transcript.js'
import type { TurnBudget } from './turn-budget.js'
import type { Conclusion } from './turn-control.js'
import { closingEntry, type TurnEvents } from './turn-events.js'
import type { TurnHooks } from './turn-hooks.js'
import type { LedgerEntry, TurnLedger } from './turn-ledger.js'
import { outcomeOf, wordsOf, type KnownConclusion } from './turn-outcome.js'
import { addUsage, noUsage } from './usage.js'

/** What the end of a turn is made from. */
export interface TurnEndParts {
  readonly hosted: HostedTurn
  /** Answers of earlier lives of this turn. */
  readonly earlier: readonly AssistantMessage[]
  readonly ledger: TurnLedger
  readonly taken: TurnEvents
  readonly calls: ToolCalls
  readonly known: KnownCalls
  readonly budget: TurnBudget
}

/** Makes the one end of a turn: closes its open calls, writes its outcome, and shows both. */
export class TurnEnd {
  readonly #parts: TurnEndParts
  #rewritten: string | undefined

  constructor(parts: TurnEndParts) {
    this.#parts = parts
  }

  /**
   * Lets plugins say something else in place of the answer, before anything of it is written: the transcript holds what people read. Only
   * an answer that was written with its calls, the last of which ended the turn, stays there as the model said it.
   */
  async askForAnswer(turn: TurnRef, hooks: TurnHooks): Promise<void> {
    const answer = this.#answer()
    const text = answer ? wordsOf(answer) : ''
    if (text === '' || !hooks.isTapped('transformAnswer')) return
    this.#rewritten = await hooks.transformAnswer({ turn, text })
    if (this.#rewritten !== undefined) this.#parts.taken.rewrite(this.#rewritten)
  }

  /** Nothing else is written any more. A life that is parked or lost writes no end. Never rejects. */
  async write(conclusion: Conclusion): Promise<TurnOutcome> {
    const known = this.#classify(conclusion)
    const outcome = this.#outcomeOf(known)
    if (outcome.stop?.kind === 'lost') return outcome
    try {
      await this.#answerEarlyCalls()
      await (outcome.status === 'parked' ? this.#park() : this.#parts.ledger.end(outcome, this.#lastEntry(known, outcome)))
      return outcome
    } catch (error) {
      return this.#refused(known, error)
    }
  }

  /** A refused end is tried once more as that of a stopped turn; refused again, the turn belongs to somebody else. */
  async #refused(conclusion: KnownConclusion, error: unknown): Promise<TurnOutcome> {
    const { logger, turn, clock } = this.#parts.hosted
    if (!HermesError.is(error, 'turn.closed')) {
      logger.error({ error, turn: turn.id }, 'the end of a turn could not be written')
      return this.#outcomeOf({ kind: 'failed', failure: classifyFailure(error, clock.now()) })
    }
    if (conclusion.kind === 'stopped') return this.#outcomeOf({ kind: 'stopped', reason: stopReason('lost') })
    return this.write({ kind: 'stopped', reason: stopReason('stop') })
  }

  #classify(conclusion: Conclusion): KnownConclusion {
    if (conclusion.kind !== 'failed') return conclusion
    const { logger, turn, clock } = this.#parts.hosted
    const failure = classifyFailure(conclusion.error, clock.now())
    const { reason, message, status } = failure
    if (reason === 'runtime') logger.error({ error: conclusion.error, turn: turn.id }, 'an agent failed')
    else logger.warn({ reason, status, failure: message, turn: turn.id }, 'a model failed')
    if (reason !== 'runtime') this.#parts.taken.failed(failure)
    return { kind: 'failed', failure }
  }

  #outcomeOf(conclusion: KnownConclusion): TurnOutcome {
    const { taken, earlier, budget } = this.#parts
    const answer = this.#answer()
    return outcomeOf(conclusion, {
      answer: answer && this.#rewritten !== undefined ? { ...answer, parts: [{ type: 'text', text: this.#rewritten }] } : answer,
      isOutOfSteps: budget.isExhausted,
      steps: earlier.length + taken.steps,
      usage: earlier.reduce((sum, answer) => addUsage(sum, answer.usage ?? noUsage), taken.usage),
    })
  }

  /** What people are answered: an answer that is not written yet, else the newest of this turn. */
  #answer(): AssistantMessage | undefined {
    const { ledger, hosted, taken } = this.#parts
    const own = ledger.messages.findLast((message) => message.role === 'assistant' && message.turn === hosted.turn.id)
    return taken.held ?? (own as AssistantMessage | undefined)
  }

  /** The model learns of calls that began before their answer was stored. */
  async #answerEarlyCalls(): Promise<void> {
    const { ledger, known, taken } = this.#parts
    const early = known.earlyAnswer(taken.model)
    if (!early) return
    const message = ledger.stamp(early)
    await ledger.park(closingEntry(message))
    known.expect(message)
  }

  /** Results of open calls, then the answer that was held, then the end. */
  #lastEntry(conclusion: KnownConclusion, outcome: TurnOutcome): LedgerEntry {
    const { ledger, known, taken } = this.#parts
    const closed = openCalls(ledger.messages).map((call) => ledger.stamp(closingResult(call, known.closingStatusOf(call.callId))))
    const answer = conclusion.kind === 'returned' ? taken.held : undefined
    return {
      facts: [...closed, ...(answer ? [answer] : [])].map((message) => ({ kind: 'message', message })),
      events: [
        ...closed.map((message) => ({ type: 'tool-end', message }) as const),
        ...(answer ? [{ type: 'message-add', message: answer } as const] : []),
        { type: 'turn-end', outcome },
      ],
    }
  }

  /**
   * A call that this life cut off or held back behind its intent, and that must not be made again on it, gets its result now; all else waits
   * for the next life.
   */
  async #park(): Promise<void> {
    const { ledger, calls, known } = this.#parts
    const cut = openCalls(ledger.messages).filter((call) => hasIntentOfThisLife(known, call) && !calls.isReplayable(call))
    if (cut.length === 0) return
    const messages = cut.map((call) => ledger.stamp(closingResult(call, known.closingStatusOf(call.callId))))
    await ledger.park({
      facts: messages.map((message) => ({ kind: 'message', message })),
      events: messages.map((message) => ({ type: 'tool-end', message })),
    })
  }
}

function hasIntentOfThisLife(known: KnownCalls, { callId }: CallPart): boolean {
  const progress = known.progressOf(callId)
  return progress === 'begun' || progress === 'held-back'
}
