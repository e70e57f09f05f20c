import {
  HermesError,
  type AgentEvent,
  type AgentRuntime,
  type AgentTurn,
  type Answer,
  type Message,
  type RuntimeEvent,
  type TurnOutcome,
} from '@hermes/plugin-sdk'
import type { TurnFact } from '../store/index.js'
import type { AgentRun } from './agent-run.js'
import type { TurnJournal } from './turn-journal.js'

/** For tests: keeps every write in order, and refuses writes as a store would. */
export class RecordingJournal implements TurnJournal {
  readonly facts: TurnFact[] = []
  /** `message assistant`, `intent look`, `end completed`, … */
  readonly writes: string[] = []
  /** What to refuse: `stale` everything, `stopped` answers and intents, and ends that are not interrupted. */
  refuses: 'nothing' | 'stale' | 'stopped' = 'nothing'
  /** Called with every write before it is taken. */
  onWrite: (name: string) => void | Promise<void> = () => undefined

  async commit(facts: readonly TurnFact[]): Promise<void> {
    await this.#take(facts, facts.some(isAnswerOrIntent))
  }

  async end(outcome: TurnOutcome, facts: readonly TurnFact[]): Promise<void> {
    await this.#take(facts, outcome.status !== 'interrupted')
    this.writes.push(`end ${outcome.status}`)
  }

  /** As a store does: what was answered before it was written is not answered. */
  answered(questionId: string): Promise<Answer | undefined> {
    const fact = this.facts.find((each) => each.kind === 'answer' && each.id === questionId)
    return Promise.resolve(fact?.kind === 'answer' ? fact.answer : undefined)
  }

  async #take(facts: readonly TurnFact[], isRefusedAfterStop: boolean): Promise<void> {
    for (const fact of facts) await this.onWrite(nameOf(fact))
    if (this.refuses === 'stale' || (this.refuses === 'stopped' && isRefusedAfterStop)) {
      throw new HermesError('turn.closed', 'The lane has moved on.', { lane: 'lane', epoch: 1 })
    }
    this.facts.push(...facts)
    this.writes.push(...facts.map(nameOf))
  }
}

/** For tests: the events of a run, whole. */
export async function eventsOf(run: AgentRun): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of run.events) events.push(event)
  return events
}

/** For tests: the first event of a type, as soon as it is shown. */
export async function seen<T extends AgentEvent['type']>(run: AgentRun, type: T): Promise<Extract<AgentEvent, { type: T }>> {
  for await (const event of run.events) if (event.type === type) return event as Extract<AgentEvent, { type: T }>
  throw new Error(`The run ended without ${type}.`)
}

/** For tests: a runtime from a generator. */
export function runtimeOf(run: (turn: AgentTurn) => AsyncIterable<RuntimeEvent>, more: Partial<AgentRuntime> = {}): AgentRuntime {
  return { id: 'test', ...more, run }
}

/** For tests: what the messages say, one line each: `tool ok done`. */
export function linesOf(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const texts = message.parts.map((part) => (part.type === 'text' ? part.text : part.type === 'tool-call' ? `${part.name}()` : part.type))
    return [message.role, ...(message.role === 'tool' ? [message.status] : []), ...texts].join(' ')
  })
}

function isAnswerOrIntent(fact: TurnFact): boolean {
  return fact.kind === 'intent' || (fact.kind === 'message' && fact.message.role === 'assistant' && !fact.closes)
}

function nameOf(fact: TurnFact): string {
  if (fact.kind === 'message') return fact.message.role === 'tool' ? `result ${fact.message.callId}` : `message ${fact.message.role}`
  switch (fact.kind) {
    case 'intent':
      return `intent ${fact.callId}`
    case 'question':
      return `question ${fact.question.id}`
    case 'answer':
      return `answer ${fact.id}`
    case 'state':
    case 'snapshot':
      return fact.kind
  }
}
