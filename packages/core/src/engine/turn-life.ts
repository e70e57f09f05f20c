import {
  HermesError,
  type AgentTurn,
  type Answer,
  type CallId,
  type Message,
  type RuntimeEvent,
  type StopReason,
  type TurnRef,
  type UserMessage,
} from '@hermes/plugin-sdk'
import { stopReason } from '../kernel/index.js'
import type { PromptSnapshot, ToolIntent } from '../store/index.js'
import type { TurnResult } from './agent-run.js'
import { EventLog } from './event-log.js'
import type { HostedTurn } from './hosted-turn.js'
import { KnownCalls } from './known-calls.js'
import { ToolCalls } from './tool-calls.js'
import { ToolHooks } from './tool-hooks.js'
import { mergeTools } from './tool-listing.js'
import { limitResult } from './tool-result.js'
import { lastAnswer, openCalls, textOf } from './transcript.js'
import { TurnBudget } from './turn-budget.js'
import { TurnControl, type Conclusion } from './turn-control.js'
import { TurnEnd } from './turn-end.js'
import { closingEntry, TurnEvents } from './turn-events.js'
import { noHooks, type TurnHooks } from './turn-hooks.js'
import { TurnInbox } from './turn-inbox.js'
import { TurnLedger } from './turn-ledger.js'
import { TurnQuestions } from './turn-questions.js'

const defaultSteps = 90
const defaultGraceMs = 500

/** One life of a turn: finishes what an earlier life left open, drives the runtime, and makes the one end. */
export class TurnLife {
  readonly events = new EventLog()
  readonly #control = new TurnControl()
  readonly #inbox = new TurnInbox()
  readonly #hosted: HostedTurn
  readonly #graceMs: number
  readonly #ledger: TurnLedger
  readonly #budget: TurnBudget
  readonly #questions: TurnQuestions
  readonly #known: KnownCalls
  readonly #calls: ToolCalls
  readonly #taken: TurnEvents
  readonly #end: TurnEnd
  readonly #hooks: TurnHooks
  /** As plugins and tools see it: its signal is that of this life. */
  readonly #turn: TurnRef
  #isDriven = false

  /** Throws `name.taken` when the runtime and the host bring tools of one name. */
  constructor(hosted: HostedTurn) {
    const { runtime, turn, transcript, opening = [], journal, clock, ids, canAnswer = false, questionTimeoutMs: timeoutMs } = hosted
    this.#hosted = hosted
    this.#hooks = hosted.hooks ?? noHooks
    this.#turn = Object.freeze({ ...turn, signal: this.#control.signal })
    this.#graceMs = hosted.graceMs ?? defaultGraceMs
    const tools = mergeTools(runtime, hosted.tools)
    const earlier = messagesOf(turn, transcript.messages).filter((message) => message.role === 'assistant')
    this.#ledger = new TurnLedger({ turn, stored: transcript.messages, opening, journal, events: this.events, clock, ids })
    this.#budget = new TurnBudget(hosted.maxSteps ?? runtime.maxSteps ?? defaultSteps, earlier.length)
    this.#questions = new TurnQuestions({ canAnswer, timeoutMs, journal, ledger: this.#ledger, control: this.#control, clock })
    this.#known = knownCalls(transcript.intents, this.#ledger)
    const shared = { known: this.#known, ledger: this.#ledger, inbox: this.#inbox, events: this.events, control: this.#control }
    this.#calls = new ToolCalls({
      ...shared,
      questions: this.#questions,
      hosted,
      turn: this.#turn,
      hooks: new ToolHooks(this.#turn, this.#hooks),
      tools,
      graceMs: this.#graceMs,
    })
    const news = { turn: this.#turn, hooks: this.#hooks, clock }
    this.#taken = new TurnEvents({ ...shared, runtimeId: runtime.id, tools: this.#calls, news })
    this.#end = new TurnEnd({
      known: this.#known,
      hosted,
      earlier,
      ledger: this.#ledger,
      taken: this.#taken,
      calls: this.#calls,
      budget: this.#budget,
    })
  }

  /** Runs it to its end. Never rejects. */
  async run(): Promise<TurnResult> {
    const { turn } = this.#hosted
    this.events.push({ type: 'turn-start', turn: turn.id, epoch: turn.epoch })
    const unlink = this.#followSignal(turn.signal)
    const driven = this.#drive()
    const conclusion = this.#judge(await Promise.race([driven, this.#control.interrupted]))
    await this.#windDown(driven)
    unlink()
    const undelivered = this.#inbox.close()
    const outcome = await this.#end.write(conclusion)
    this.events.close()
    return { outcome, messages: [...this.#ledger.messages], undelivered }
  }

  /** Leaves a note; `false`: too late. */
  steer(text: string): boolean {
    return this.#inbox.leave(this.#ledger.stamp({ role: 'user', origin: 'steer', parts: [{ type: 'text', text }] } as const))
  }

  /** The first reason wins. */
  stop(reason: StopReason): void {
    this.#control.stop(reason)
  }

  /** Answers an open question; `false`: none of this id is open, or the answer is of another kind. */
  answer(questionId: string, answer: Answer): boolean {
    return this.#questions.answer(questionId, answer)
  }

  #followSignal(signal: AbortSignal): () => void {
    const stop = (): void => this.#control.stop(toStopReason(signal.reason))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    return () => signal.removeEventListener('abort', stop)
  }

  async #drive(): Promise<Conclusion> {
    try {
      if (this.#control.signal.aborted) return { kind: 'returned' }
      const { snapshot } = this.#hosted
      const prompt = typeof snapshot === 'function' ? await snapshot() : snapshot
      if (!(await this.#finishEarlierCalls())) return { kind: 'crashed' }
      await this.#askForContext()
      if (this.#hasWork()) await this.#runRuntime(prompt)
      if (!this.#control.signal.aborted) await this.#end.askForAnswer(this.#turn, this.#hooks)
      return { kind: 'returned' }
    } catch (error) {
      return { kind: 'failed', error }
    } finally {
      this.#isDriven = true
    }
  }

  /**
   * What plugins add stands in the transcript, as an event behind the user's message, and is written together with it: the model reads the
   * same in every step, after a crash and in later turns, whose requests begin with the same bytes. So only the life that writes the
   * message asks.
   */
  async #askForContext(): Promise<void> {
    const { opening = [], transcript, media } = this.#hosted
    if (opening.length === 0 || !this.#hooks.isTapped('turnStart')) return
    const text = opening.map((message) => textOf({ parts: message.parts })).join('\n\n')
    const context = await this.#hooks.turnStart({ turn: this.#turn, text, isFirst: transcript.messages.length === 0 })
    if (context === undefined || this.#control.signal.aborted) return
    const { parts } = await limitResult({ parts: [{ type: 'text', text: context }] }, { media, maxChars: undefined, name: 'context.txt' })
    const message = this.#ledger.stamp({ role: 'user', origin: 'event', parts: parts.filter((part) => part.type !== 'json') } as const)
    this.#ledger.addOpening(message)
  }

  /** `false`: a call began in an earlier life, its end is not known, and it must not be made again. */
  async #finishEarlierCalls(): Promise<boolean> {
    const early = this.#known.earlyAnswer(this.#taken.model)
    if (early) await this.#ledger.commit(closingEntry(this.#ledger.stamp(early)))
    const answer = lastAnswer(this.#ledger.messages)
    const open = openCalls(this.#ledger.messages)
    if (answer) this.#known.expect(answer)
    if (open.length === 0) return true
    if (open.some((call) => this.#known.progressOf(call.callId) === 'begun-earlier' && !this.#calls.isReplayable(call))) return false
    await Promise.all(open.map(({ callId, name, input }) => this.#calls.call({ callId, name, input })))
    return true
  }

  /** Nothing is left to do behind an answer, or behind a batch whose results all end the turn. */
  #hasWork(): boolean {
    const { messages } = this.#ledger
    const tail = messages.at(-1)
    if (this.#control.signal.aborted || tail === undefined || tail.role === 'assistant') return false
    if (tail.role !== 'tool') return true
    const batch = messages.slice(messages.findLastIndex((message) => message.role === 'assistant') + 1)
    return !batch.every((message) => message.role === 'tool' && message.endsTurn)
  }

  /** After a stop the next thing that the runtime yields is its last, unless it is the result of a tool; a state is still taken. */
  async #runRuntime(prompt: PromptSnapshot): Promise<void> {
    const { signal } = this.#control
    for await (const event of this.#hosted.runtime.run(this.#agentTurn(prompt))) {
      if (this.#control.isCut || (signal.aborted && !isTakenAfterStop(event))) return
      await this.#taken.take(event)
      if (signal.aborted && event.type !== 'tool-end') return
    }
  }

  #agentTurn(prompt: PromptSnapshot): AgentTurn {
    const { turn, media, clock, transcript } = this.#hosted
    const { messages } = this.#ledger
    return {
      id: turn.id,
      lane: turn.lane,
      epoch: turn.epoch,
      system: prompt.system,
      messages,
      input: this.#input(),
      tools: { list: prompt.tools, call: (call) => this.#calls.call(call) },
      inbox: this.#inbox,
      budget: this.#budget,
      media,
      clock,
      signal: this.#control.signal,
      state: transcript.state,
      ask: (question) => this.#questions.ask(question),
    }
  }

  #input(): readonly UserMessage[] {
    const { messages } = this.#ledger
    const own = messagesOf(this.#hosted.turn, messages).filter((message) => message.role === 'user')
    if (own.length > 0) return own
    const last = messages.findLast((message) => message.role === 'user')
    return last ? [last] : []
  }

  #judge(first: Conclusion): Conclusion {
    const { reason } = this.#control
    if (reason) return { kind: 'stopped', reason }
    if (first.kind === 'failed' && HermesError.is(first.error, 'turn.closed')) return { kind: 'stopped', reason: stopReason('stop') }
    return first
  }

  /** Tells who still runs to stop, and goes on without those who do not within the grace. */
  async #windDown(driven: Promise<unknown>): Promise<void> {
    if (!this.#isDriven || !this.#calls.isIdle) {
      this.#control.stop(stopReason('stop'))
      const over = new AbortController()
      const grace = this.#hosted.clock.sleep(this.#graceMs, over.signal).catch(() => undefined)
      await Promise.race([driven.then(() => this.#calls.settled()), grace])
      over.abort()
    }
    this.#questions.close()
    this.#control.cut()
    this.#ledger.seal()
    await this.#ledger.idle()
  }
}

/** Those of a turn stand at the end: nothing of another one comes behind them. */
function messagesOf({ id }: TurnRef, messages: readonly Message[]): readonly Message[] {
  return messages.slice(messages.findLastIndex((message) => message.turn !== id) + 1)
}

function isTakenAfterStop(event: RuntimeEvent): boolean {
  return event?.type === 'state-set' || event?.type === 'tool-end'
}

/** Calls whose intent an earlier life wrote are known; those whose answer it did not store are early. */
function knownCalls(intents: readonly ToolIntent[], ledger: TurnLedger): KnownCalls {
  const early = intents.filter(({ callId }) => !ledger.order.hasCall(callId))
  return new KnownCalls(
    new Set(intents.map(({ callId }) => callId)),
    early.map(({ callId, name, input }) => ({ type: 'tool-call', callId: callId as CallId, name, input })),
  )
}

function toStopReason(reason: unknown): StopReason {
  const isReason = typeof reason === 'object' && reason !== null && 'kind' in reason && 'abandons' in reason
  return isReason ? (reason as StopReason) : stopReason('stop')
}
