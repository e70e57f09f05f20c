import type { Answer, CallPart, Question } from '@hermes/plugin-sdk'
import type { AnyTool } from './any-tool.js'
import { issueOf } from './turn-questions.js'

/**
 * The question to be answered before the call may start, if there is one. Its id is that of the call, so that an answer holds for this
 * call alone. Throws what the tool's own rule throws, and for an answer of it that is no question.
 */
export async function approvalOf(tool: AnyTool, call: CallPart, input: unknown): Promise<Question | undefined> {
  const { approval = 'never' } = tool
  if (approval === 'never') return undefined
  const id: string = call.callId
  if (approval === 'always') {
    return { id, kind: 'approval', text: `May the tool ${tool.name} run?`, detail: JSON.stringify(call.input, undefined, 2) }
  }
  const asked: unknown = await approval(input)
  if (asked === undefined) return undefined
  const question = { ...Object(asked), id, kind: 'approval' } as Question
  const issue = issueOf(question)
  if (issue !== undefined) throw new Error(`it cannot be asked: ${issue}`)
  return question
}

/** What the model reads of a call that was not approved. Silence is not consent, and a model likes to try another way. */
export function refusalOf(answer: Exclude<Answer, { kind: 'approved' }>): string {
  return `Not run: ${reasonOf(answer)} Do not repeat the call, and do not try to reach the same by other means.`
}

function reasonOf(answer: Exclude<Answer, { kind: 'approved' }>): string {
  switch (answer.kind) {
    case 'denied':
      return answer.reason ? `a person refused it and said: ${JSON.stringify(answer.reason)}.` : 'a person refused it.'
    case 'unanswered':
      return answer.why === 'nobody'
        ? 'it needs the approval of a person, and nobody is there to be asked.'
        : 'it needs the approval of a person, and nobody answered. Silence is not consent.'
    case 'text':
      return 'it was not approved.'
  }
}
