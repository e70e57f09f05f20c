import type { AssistantMessage, CallPart, Message, ResultPart, SummaryMessage, ToolMessage } from '@hermes/plugin-sdk'

/** The calls of an answer, in order. */
export function callsOf(answer: Pick<AssistantMessage, 'parts'>): readonly CallPart[] {
  return answer.parts.filter((part) => part.type === 'tool-call')
}

/** What an answer or a result says in words; JSON as JSON, media left out. */
export function textOf(message: { readonly parts: readonly (ResultPart | AssistantMessage['parts'][number])[] }): string {
  return message.parts.map((part) => (part.type === 'text' ? part.text : part.type === 'json' ? JSON.stringify(part.value) : '')).join('')
}

/** The newest answer, if there is one. */
export function lastAnswer(messages: readonly Message[]): AssistantMessage | undefined {
  return messages.findLast((message) => message.role === 'assistant')
}

/** The calls of the newest answer that have no result, in order. */
export function openCalls(messages: readonly Message[]): readonly CallPart[] {
  const index = messages.findLastIndex((message) => message.role === 'assistant')
  const answer = messages[index]
  const calls = answer?.role === 'assistant' ? callsOf(answer) : []
  if (calls.length === 0) return calls
  const answered = new Set(messages.slice(index + 1).map((message) => (message.role === 'tool' ? message.callId : undefined)))
  return calls.filter((call) => !answered.has(call.callId))
}

/** Messages as the model reads them, while they are added in the order of their storing. */
export class ReadingOrder {
  /** One array for ever: it changes as messages are added. */
  readonly messages: Message[] = []
  readonly #callIds = new Set<string>()
  /** Results that were stored before the answer that asks for them. They are read behind it. */
  #early: ToolMessage[] = []

  constructor(stored: readonly Message[]) {
    for (const message of stored) this.add(message)
  }

  /** Does an answer ask for this call, be it hidden by a summary? */
  hasCall(callId: string): boolean {
    return this.#callIds.has(callId)
  }

  /** A result goes behind the results of earlier calls of its answer, whatever ended first; a summary takes the place of what it covers. */
  add(message: Message): void {
    switch (message.role) {
      case 'tool':
        this.#addResult(message)
        break
      case 'assistant':
        this.#addAnswer(message)
        break
      case 'summary':
        this.#addSummary(message)
        break
      case 'user':
        this.messages.push(message)
    }
  }

  /** The places that a summary would take; `undefined`: there is no such range, or it would tear results from their answer. */
  rangeOf({ from, to }: SummaryMessage['covers']): { readonly start: number; readonly count: number } | undefined {
    const start = this.messages.findIndex((message) => message.id === from)
    const end = this.messages.findIndex((message) => message.id === to)
    const isTorn = this.messages[start]?.role === 'tool' || this.messages[end + 1]?.role === 'tool'
    return start < 0 || end < start || isTorn ? undefined : { start, count: end - start + 1 }
  }

  #addResult(result: ToolMessage): void {
    const answerIndex = this.messages.findLastIndex((other) => other.role === 'assistant')
    const answer = this.messages[answerIndex]
    const order = answer?.role === 'assistant' ? callsOf(answer).map((call) => call.callId) : []
    const rank = order.indexOf(result.callId)
    if (rank < 0) {
      this.#early.push(result)
      return
    }
    let index = answerIndex + 1
    for (let other = this.messages[index]; other?.role === 'tool' && order.indexOf(other.callId) < rank; other = this.messages[index]) index++
    this.messages.splice(index, 0, result)
  }

  #addAnswer(answer: AssistantMessage): void {
    this.messages.push(answer)
    for (const call of callsOf(answer)) this.#callIds.add(call.callId)
    const early = this.#early
    this.#early = []
    for (const result of early) this.#addResult(result)
  }

  #addSummary(summary: SummaryMessage): void {
    const range = this.rangeOf(summary.covers)
    if (range) this.messages.splice(range.start, range.count, summary)
    else this.messages.push(summary)
  }
}
