import type { AssistantMessage, CallPart, Message, ResultPart } from '@hermes/plugin-sdk'

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
  if (answer?.role !== 'assistant') return []
  const answered = new Set(messages.slice(index + 1).map((message) => (message.role === 'tool' ? message.callId : undefined)))
  return callsOf(answer).filter((call) => !answered.has(call.callId))
}

/**
 * Adds a message at the place where the model reads it: a result behind the results of earlier calls of its answer, whatever ended
 * first; all else at the end.
 */
export function placeMessage(messages: Message[], message: Message): void {
  const answerIndex = message.role === 'tool' ? messages.findLastIndex((other) => other.role === 'assistant') : -1
  const answer = messages[answerIndex]
  if (message.role !== 'tool' || answer?.role !== 'assistant') {
    messages.push(message)
    return
  }
  const order = callsOf(answer).map((call) => call.callId)
  const rank = order.indexOf(message.callId)
  let index = answerIndex + 1
  for (let other = messages[index]; other?.role === 'tool' && order.indexOf(other.callId) < rank; other = messages[index]) index++
  messages.splice(index, 0, message)
}

/** Messages in the order of their storing, as the model reads them. */
export function inReadingOrder(stored: readonly Message[]): Message[] {
  const messages: Message[] = []
  for (const message of stored) placeMessage(messages, message)
  return messages
}
