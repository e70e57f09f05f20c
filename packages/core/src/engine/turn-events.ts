import { HermesError, type AgentEvent, type AssistantMessage, type New, type RuntimeEvent, type Usage, type UserMessage } from '@hermes/plugin-sdk'
import { closingResult } from './close-calls.js'
import type { EventLog } from './event-log.js'
import type { ToolCalls } from './tool-calls.js'
import { callsOf, openCalls } from './transcript.js'
import type { TurnControl } from './turn-control.js'
import type { TurnInbox } from './turn-inbox.js'
import type { LedgerEntry, TurnLedger } from './turn-ledger.js'
import { addUsage, noUsage } from './usage.js'

/** Takes what a runtime yields: writes what is durable, shows the rest, and counts. */
export class TurnEvents {
  readonly #runtimeId: string
  readonly #ledger: TurnLedger
  readonly #tools: ToolCalls
  readonly #inbox: TurnInbox
  readonly #events: EventLog
  readonly #control: TurnControl
  #held: AssistantMessage | undefined
  #isInStep = false
  #steps = 0
  #usage = noUsage

  constructor(parts: {
    readonly runtimeId: string
    readonly ledger: TurnLedger
    readonly tools: ToolCalls
    readonly inbox: TurnInbox
    readonly events: EventLog
    readonly control: TurnControl
  }) {
    this.#runtimeId = parts.runtimeId
    this.#ledger = parts.ledger
    this.#tools = parts.tools
    this.#inbox = parts.inbox
    this.#events = parts.events
    this.#control = parts.control
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

  /** Resolves when the event is handled and, if durable, written. */
  async take(event: RuntimeEvent): Promise<void> {
    switch (event?.type) {
      case 'step-start':
        await this.#releaseAnswer()
        if (this.#control.signal.aborted) return undefined
        if (!this.#isInStep) this.#steps++
        this.#isInStep = true
        return this.#events.push(event)
      case 'step-end':
        this.#isInStep = false
        this.#usage = addUsage(this.#usage, event.usage)
        return this.#events.push(event)
      case 'message-add':
        return event.message.role === 'user' ? this.#takeNote(event.message) : this.#takeAnswer(event.message)
      case 'state-set':
        return this.#ledger.commit({ facts: [{ kind: 'state', runtime: this.#runtimeId, state: event.state }], events: [event] })
      case 'text-delta':
      case 'reasoning-delta':
      case 'text-end':
      case 'reasoning-end':
      case 'tool-input-start':
      case 'retry-wait':
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

  async #takeAnswer(answer: New<AssistantMessage>): Promise<void> {
    await this.#closeBatch()
    if (this.#control.signal.aborted) return
    const message = this.#ledger.stamp(answer)
    if (callsOf(message).length === 0) {
      this.#held = message
      return
    }
    await this.#ledger.commit(messageEntry(message))
    this.#tools.expect(message)
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

  /** Before anything follows a batch, its calls have their results; those never made are closed. */
  async #closeBatch(): Promise<void> {
    await this.#releaseAnswer()
    await this.#tools.settled()
    const open = openCalls(this.#ledger.messages)
    if (open.length === 0 || this.#control.signal.aborted) return
    const messages = open.map((call) => this.#ledger.stamp(closingResult(call, 'skipped')))
    await this.#ledger.commit({
      facts: messages.map((message) => ({ kind: 'message', message })),
      events: messages.map((message) => ({ type: 'tool-end', message })),
    })
  }

  async #releaseAnswer(): Promise<void> {
    const held = this.#held
    this.#held = undefined
    if (held) await this.#ledger.commit(messageEntry(held))
  }
}

function messageEntry(message: AssistantMessage | UserMessage): LedgerEntry {
  return { facts: [{ kind: 'message', message }], events: [{ type: 'message-add', message } satisfies AgentEvent] }
}
