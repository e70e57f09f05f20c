import {
  HermesError,
  type AgentEvent,
  type AgentFailure,
  type AssistantMessage,
  type Message,
  type ModelRef,
  type New,
  type RuntimeEvent,
  type SummaryMessage,
  type Usage,
  type UserMessage,
} from '@hermes/plugin-sdk'
import { withOwnIds } from './call-ids.js'
import { closingResult } from './close-calls.js'
import type { EventLog } from './event-log.js'
import type { KnownCalls } from './known-calls.js'
import { ModelNews, type ModelNewsParts } from './model-news.js'
import type { ToolCalls } from './tool-calls.js'
import { callsOf, lastAnswer, openCalls } from './transcript.js'
import type { TurnControl } from './turn-control.js'
import type { TurnInbox } from './turn-inbox.js'
import type { LedgerEntry, TurnLedger } from './turn-ledger.js'
import { addUsage, noUsage } from './usage.js'

/** Takes what a runtime yields: writes what is durable, shows the rest, and counts. */
export class TurnEvents {
  readonly #runtimeId: string
  readonly #ledger: TurnLedger
  readonly #tools: ToolCalls
  readonly #known: KnownCalls
  readonly #inbox: TurnInbox
  readonly #events: EventLog
  readonly #control: TurnControl
  readonly #news: ModelNews
  #held: AssistantMessage | undefined
  #model: ModelRef | undefined
  #isInStep = false
  #steps = 0
  #usage = noUsage

  constructor(parts: {
    readonly runtimeId: string
    readonly ledger: TurnLedger
    readonly tools: ToolCalls
    readonly known: KnownCalls
    readonly inbox: TurnInbox
    readonly events: EventLog
    readonly control: TurnControl
    readonly news: ModelNewsParts
  }) {
    this.#runtimeId = parts.runtimeId
    this.#ledger = parts.ledger
    this.#tools = parts.tools
    this.#known = parts.known
    this.#inbox = parts.inbox
    this.#events = parts.events
    this.#control = parts.control
    this.#news = new ModelNews(parts.news)
  }

  /** An answer without calls: it is written when the next step begins, or together with the end of the turn. */
  get held(): AssistantMessage | undefined {
    return this.#held
  }

  /** Steps of this life; one that is tried again counts once. */
  get steps(): number {
    return this.#steps
  }

  get usage(): Usage {
    return this.#usage
  }

  /** Whom an answer is ascribed to that the host makes. */
  get model(): ModelRef {
    return this.#model ?? lastAnswer(this.#ledger.messages)?.model ?? { provider: this.#runtimeId, model: 'unknown' }
  }

  /** The model failed, and nobody asks it again. */
  failed(failure: AgentFailure): void {
    this.#news.failed(failure, false)
  }

  /** What a plugin said in place of the answer that is held. No provider gets back what belongs to words that its model did not say. */
  rewrite(text: string): void {
    if (!this.#held) return
    const thoughts = this.#held.parts.flatMap((part) => (part.type === 'reasoning' ? [{ type: part.type, text: part.text }] : []))
    this.#held = { ...this.#held, parts: [...thoughts, { type: 'text', text }] }
  }

  /** Resolves when the event is handled and, if durable, written. */
  async take(event: RuntimeEvent): Promise<void> {
    switch (event?.type) {
      case 'step-start':
        await this.#releaseAnswer()
        await this.#answerEarlyCalls()
        if (this.#control.signal.aborted) return undefined
        this.#model = event.model
        if (!this.#isInStep) this.#steps++
        this.#isInStep = true
        this.#news.started(event.model)
        return this.#events.push(event)
      case 'step-end':
        this.#isInStep = false
        this.#usage = addUsage(this.#usage, event.usage)
        this.#news.ended(event.finish, event.usage)
        return this.#events.push(event)
      case 'message-add':
        return this.#takeMessage(event.message)
      case 'tool-start':
        await this.#releaseAnswer()
        return this.#tools.begin(event)
      case 'tool-progress':
        return this.#tools.progress(event.callId, event.update)
      case 'tool-end':
        return this.#tools.end(event.result)
      case 'state-set':
        return this.#ledger.commit({ facts: [{ kind: 'state', runtime: this.#runtimeId, state: event.state }], events: [event] })
      case 'text-delta':
      case 'reasoning-delta':
        this.#news.wrote(event.type === 'text-delta' ? 'text' : 'reasoning', event.text)
        return this.#events.push(event)
      case 'retry-wait':
        this.#news.failed(event.failure, true)
        return this.#events.push(event)
      case 'text-end':
      case 'reasoning-end':
      case 'tool-input-start':
      case 'model-change':
      case 'compaction-start':
      case 'compaction-end':
      case 'notice-post':
      case 'agent-event':
        return this.#events.push(event)
      default:
        throw this.#noEvent(event)
    }
  }

  #noEvent(event: never): HermesError {
    const issue = `${JSON.stringify(event)?.slice(0, 80)} is no event that a runtime may yield`
    const message = `Agent ${this.#runtimeId} cannot be understood: ${issue}. An answer is { type: 'message-add', message }.`
    return new HermesError('value.invalid', message, { where: 'run', issues: [issue] })
  }

  #takeMessage(message: UserMessage | New<AssistantMessage> | New<SummaryMessage>): Promise<void> {
    switch (message.role) {
      case 'user':
        return this.#takeNote(message)
      case 'summary':
        return this.#takeSummary(message)
      case 'assistant':
        return this.#takeAnswer(message)
    }
  }

  async #takeAnswer(added: New<AssistantMessage>): Promise<void> {
    const { answer, ids } = withOwnIds(added, (id) => this.#ledger.order.hasCall(id))
    await this.#closeBatch(new Set(callsOf(answer).map((call) => call.callId)))
    if (this.#control.signal.aborted) return
    const message = this.#ledger.stamp(answer)
    if (callsOf(message).length === 0) {
      this.#held = message
      return
    }
    await this.#ledger.commit(messageEntry(message))
    this.#known.expect(message, ids)
  }

  async #takeSummary(added: New<SummaryMessage>): Promise<void> {
    await this.#closeBatch()
    if (this.#control.signal.aborted) return
    if (!this.#ledger.order.rangeOf(added.covers)) {
      const issue = 'it covers no range of turn.messages, or one that tears results from their answer'
      const message = `Agent ${this.#runtimeId} added a summary that cannot be placed: ${issue}.`
      throw new HermesError('value.invalid', message, { where: 'message-add', issues: [issue] })
    }
    await this.#ledger.commit(messageEntry(this.#ledger.stamp(added)))
  }

  async #takeNote(note: UserMessage): Promise<void> {
    const taken = this.#inbox.taken(note.id)
    if (!taken) {
      const issue = 'a runtime adds user messages only as it took them from turn.inbox'
      throw new HermesError('value.invalid', `Agent ${this.#runtimeId} added a user message that is no note: ${issue}.`, {
        where: 'message-add',
        issues: [issue],
      })
    }
    await this.#closeBatch()
    if (this.#control.signal.aborted) return
    await this.#ledger.commit(messageEntry(taken))
    this.#inbox.delivered(taken.id)
  }

  /** Before anything follows a batch, its calls have their results; those never made are closed. `coming`: calls of what follows. */
  async #closeBatch(coming?: ReadonlySet<string>): Promise<void> {
    await this.#releaseAnswer()
    await this.#closeOpenCalls()
    if (await this.#answerEarlyCalls(coming)) await this.#closeOpenCalls()
  }

  async #closeOpenCalls(): Promise<void> {
    await this.#tools.batchSettled()
    const open = openCalls(this.#ledger.messages)
    if (open.length === 0 || this.#control.signal.aborted) return
    const messages = open.map((call) => this.#ledger.stamp(closingResult(call, this.#known.closingStatusOf(call.callId))))
    await this.#ledger.commit({
      facts: messages.map((message) => ({ kind: 'message', message })),
      events: messages.map((message) => ({ type: 'tool-end', message })),
    })
  }

  /** Calls that began before their answer, whose answer will not come any more, get one of the host. `false`: there are none. */
  async #answerEarlyCalls(coming?: ReadonlySet<string>): Promise<boolean> {
    const early = this.#control.signal.aborted ? undefined : this.#known.earlyAnswer(this.model, coming)
    if (!early) return false
    const message = this.#ledger.stamp(early)
    await this.#ledger.commit(closingEntry(message))
    this.#known.expect(message)
    return true
  }

  async #releaseAnswer(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    if (held) await this.#ledger.commit(messageEntry(held))
  }
}

/** An answer that the host makes for calls which had begun. */
export function closingEntry(message: AssistantMessage): LedgerEntry {
  return { facts: [{ kind: 'message', message, closes: true }], events: [{ type: 'message-add', message }] }
}

function messageEntry(message: Exclude<Message, { role: 'tool' }>): LedgerEntry {
  return { facts: [{ kind: 'message', message }], events: [{ type: 'message-add', message } satisfies AgentEvent] }
}
