import type { Answer, CallId, Clock, Question } from '@hermes/plugin-sdk'
import { issueOf, type TurnQuestions } from './turn-questions.js'

/** The questions of one running call: they bear its id, and its time stands still while it waits for people. */
export class ToolAsking {
  readonly #callId: CallId
  readonly #questions: TurnQuestions
  readonly #clock: Clock
  /** Those that wait, as one promise. */
  #waiting: Promise<unknown> | undefined
  #count = 0
  #since = 0
  #pausedMs = 0
  #wasStopped = false

  constructor(callId: CallId, { questions, clock }: { readonly questions: TurnQuestions; readonly clock: Clock }) {
    this.#callId = callId
    this.#questions = questions
    this.#clock = clock
  }

  /** A question of this call was cut off by the end of the turn, or of this life of it. */
  get wasStopped(): boolean {
    return this.#wasStopped
  }

  async ask(question: Question): Promise<Answer> {
    const asked = this.#questions.ask(issueOf(question) === undefined ? { ...question, id: `${this.#callId}/${question.id}` } : question)
    this.#begin(asked)
    try {
      const answer = await asked
      if (answer.kind === 'unanswered' && answer.why === 'stopped') this.#wasStopped = true
      return answer
    } finally {
      this.#end()
    }
  }

  /** Resolves when no question waits: milliseconds that were spent waiting since this was asked last. */
  async takePausedMs(): Promise<number> {
    while (this.#count > 0) await this.#waiting
    const paused = this.#pausedMs
    this.#pausedMs = 0
    return paused
  }

  #begin(asked: Promise<unknown>): void {
    if (this.#count++ === 0) this.#since = this.#clock.now()
    this.#waiting = Promise.allSettled([this.#waiting, asked])
  }

  #end(): void {
    if (--this.#count === 0) this.#pausedMs += this.#clock.now() - this.#since
  }
}
