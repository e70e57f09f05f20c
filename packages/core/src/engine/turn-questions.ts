import { HermesError, type AgentEvent, type Answer, type Clock, type Question } from '@hermes/plugin-sdk'
import type { TurnFact } from '../store/index.js'
import type { TurnControl } from './turn-control.js'
import type { TurnJournal } from './turn-journal.js'
import type { TurnLedger } from './turn-ledger.js'

/** As long as a person may take where the host says nothing else: an hour. */
const defaultTimeoutMs = 3_600_000

interface OpenQuestion {
  readonly question: Question
  readonly answered: Promise<Answer>
  readonly over: AbortController
  give(answer: Promise<Answer>): void
}

/** What questions need of their turn. */
export interface TurnQuestionsParts {
  /** Somebody hears of them and may answer. */
  readonly canAnswer: boolean
  readonly timeoutMs?: number | undefined
  readonly journal: Pick<TurnJournal, 'answered'>
  readonly ledger: TurnLedger
  readonly control: TurnControl
  readonly clock: Clock
}

/**
 * The questions of a turn to people. Each is written before it is shown, and its answer before the asker gets it. A shutdown closes
 * none: the next life asks again, or finds the answer that was stored.
 */
export class TurnQuestions {
  readonly #parts: TurnQuestionsParts
  readonly #asked = new Map<string, Promise<Answer>>()
  readonly #open = new Map<string, OpenQuestion>()

  constructor(parts: TurnQuestionsParts) {
    this.#parts = parts
    parts.control.signal.addEventListener('abort', () => this.close(), { once: true })
  }

  /** A question of the same id is asked once, and everybody gets its answer. Throws `value.invalid` for one of a wrong shape. */
  ask(question: Question): Promise<Answer> {
    const issue = issueOf(question)
    if (issue !== undefined) {
      const where = 'ask'
      return Promise.reject(new HermesError('value.invalid', `This question cannot be asked: ${issue}.`, { where, issues: [issue] }))
    }
    const asked = this.#asked.get(question.id) ?? this.#ask(question)
    this.#asked.set(question.id, asked)
    return asked
  }

  /** `false`: no such question is open, or it is not one that can be answered so. */
  answer(id: string, answer: Answer): boolean {
    const open = this.#open.get(id)
    if (!open || !fits(open.question, answer)) return false
    this.#close(open, answer)
    return true
  }

  /** Nobody waits any more. */
  close(): void {
    for (const open of this.#open.values()) this.#close(open, { kind: 'unanswered', why: 'stopped' })
  }

  async #ask(question: Question): Promise<Answer> {
    const { journal, control, canAnswer } = this.#parts
    try {
      const stored = await journal.answered(question.id)
      if (stored) return stored
      if (control.signal.aborted) return { kind: 'unanswered', why: 'stopped' }
      return canAnswer ? await this.#wait(question) : { kind: 'unanswered', why: 'nobody' }
    } catch (error) {
      control.fail(error)
      return { kind: 'unanswered', why: 'stopped' }
    }
  }

  /** It is open from here, so that an answer may come while it is being written. */
  async #wait(question: Question): Promise<Answer> {
    const open = openQuestion(question)
    this.#open.set(question.id, open)
    await this.#write({ kind: 'question', question }, { type: 'question-open', question })
    void this.#expire(open)
    return open.answered
  }

  async #expire(open: OpenQuestion): Promise<void> {
    const { clock, timeoutMs = defaultTimeoutMs } = this.#parts
    const isOver = await clock.sleep(timeoutMs, open.over.signal).then(
      () => true,
      () => false,
    )
    if (isOver) this.#close(open, { kind: 'unanswered', why: 'timeout' })
  }

  #close(open: OpenQuestion, answer: Answer): void {
    const { id } = open.question
    if (!this.#open.delete(id)) return
    open.over.abort()
    const isParked = answer.kind === 'unanswered' && answer.why === 'stopped' && this.#parts.control.reason?.abandons === false
    const written = isParked ? Promise.resolve() : this.#write({ kind: 'answer', id, answer }, { type: 'question-close', id, answer })
    open.give(written.then(() => answer))
  }

  #write(fact: TurnFact, event: AgentEvent): Promise<void> {
    return this.#parts.ledger.commit({ facts: [fact], events: [event] })
  }
}

function openQuestion(question: Question): OpenQuestion {
  let give: OpenQuestion['give'] = () => undefined
  const answered = new Promise<Answer>((resolve) => (give = resolve))
  // Where the question itself could not be written, nobody waits for this.
  answered.catch(() => undefined)
  return { question, answered, over: new AbortController(), give }
}

function fits({ kind }: Question, answer: Answer): boolean {
  switch (Object(answer).kind as Answer['kind']) {
    case 'approved':
      return kind === 'approval'
    case 'text':
      return kind !== 'approval' && typeof (answer as { readonly text?: unknown }).text === 'string'
    case 'denied':
    case 'unanswered':
      return true
    default:
      return false
  }
}

/** What is wrong with the shape of a question. */
export function issueOf(question: unknown): string | undefined {
  const { id, kind, text, detail, choices } = Object(question) as { readonly [member: string]: unknown }
  if (typeof id !== 'string' || id === '') return 'its id must be a text that is not empty'
  if (kind !== 'approval' && kind !== 'choice' && kind !== 'text') return "its kind must be 'approval', 'choice' or 'text'"
  if (typeof text !== 'string' || text === '') return 'its text must not be empty'
  if (detail !== undefined && typeof detail !== 'string') return 'its detail must be a text'
  const hasChoices = Array.isArray(choices) && choices.length > 0 && choices.every((choice) => typeof choice === 'string')
  return (choices === undefined && kind !== 'choice') || hasChoices ? undefined : 'its choices must be a list of texts that is not empty'
}
