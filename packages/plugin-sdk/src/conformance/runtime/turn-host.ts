import type { AgentEvent, AgentRuntime, StopReason, TurnOutcome } from '../../agent.js'
import type { JsonValue } from '../../json.js'
import type { Answer, Question } from '../../questions.js'
import type { Tool } from '../../tool.js'
import type { Message, TurnId, UserMessage } from '../../transcript.js'

/** A turn under way, as far as the suite looks at it. */
export interface RunUnderTest {
  readonly events: AsyncIterable<AgentEvent>
  readonly result: Promise<{
    readonly outcome: TurnOutcome
    readonly messages: readonly Message[]
    readonly undelivered: readonly UserMessage[]
  }>
  steer(text: string): boolean
  stop(kind?: StopReason['kind']): void
  answer(questionId: string, answer: Answer): boolean
}

/** What the suite asks of the host. */
export interface TurnInput {
  readonly messages: string | readonly (Message | string)[]
  // oxlint-disable-next-line typescript/no-explicit-any -- a list holds tools of any input
  readonly tools?: readonly Tool<any>[] | undefined
  readonly maxSteps?: number | undefined
  readonly canAnswer?: boolean | undefined
  readonly intents?: readonly RecordedIntent[] | undefined
  readonly journal?: RecordedJournal | undefined
}

/** Runs one turn: `runTurn` of `@hermes/core`. */
export type TurnHost = (runtime: AgentRuntime, input: TurnInput) => RunUnderTest

interface RecordedIntent {
  readonly turn: TurnId
  readonly callId: string
  readonly name: string
  readonly input: JsonValue
}

type RecordedFact =
  | { readonly kind: 'message'; readonly message: Message }
  | ({ readonly kind: 'intent' } & Omit<RecordedIntent, 'turn'>)
  | { readonly kind: 'state'; readonly runtime: string; readonly state: JsonValue }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'answer'; readonly id: string; readonly answer: Answer }

/** Keeps what a turn writes, as a store does, and says it as it was at any moment. */
export class RecordedJournal {
  readonly #facts: RecordedFact[]
  /** Called with every fact before it is taken. */
  onFact: (fact: RecordedFact) => void = () => undefined

  constructor(facts: readonly RecordedFact[] = []) {
    this.#facts = [...facts]
  }

  commit(facts: readonly RecordedFact[]): Promise<void> {
    for (const fact of facts) this.onFact(fact)
    this.#facts.push(...facts)
    return Promise.resolve()
  }

  end(_outcome: TurnOutcome, facts: readonly RecordedFact[]): Promise<void> {
    return this.commit(facts)
  }

  answered(questionId: string): Promise<Answer | undefined> {
    const fact = this.#facts.find((each) => each.kind === 'answer' && each.id === questionId)
    return Promise.resolve(fact?.kind === 'answer' ? fact.answer : undefined)
  }

  /** What a next life begins with, if the process dies now. */
  leave(): { readonly messages: readonly Message[]; readonly intents: readonly RecordedIntent[]; readonly journal: RecordedJournal } {
    const messages = this.messages
    const turn = messages.at(-1)?.turn as TurnId
    const intents = this.#facts.flatMap((fact) => (fact.kind === 'intent' ? [{ ...fact, turn }] : []))
    return { messages, intents, journal: new RecordedJournal(this.#facts) }
  }

  get messages(): readonly Message[] {
    return this.#facts.flatMap((fact) => (fact.kind === 'message' ? [fact.message] : []))
  }
}
