import type { Answer, CallPart, Question } from '@hermes/plugin-sdk'
import type { AnyTool } from './any-tool.js'
import { issueOf } from './turn-questions.js'

/** A call that may need the approval of a person. */
export interface CallToApprove {
  readonly call: CallPart
  readonly input: unknown
  /** Plugins want a person to be asked; with these words, which stand before those of the tool itself. */
  readonly wanted?: { readonly message?: string | undefined } | undefined
}

/**
 * The question to be answered before the call may start, if there is one. Its id is that of the call, so that an answer holds for this
 * call alone. Throws what the tool's own rule throws, and for an answer of it that is no question.
 */
export async function approvalOf(tool: AnyTool, { call, input, wanted }: CallToApprove): Promise<Question | undefined> {
  const own = await ownQuestion(tool, call, input)
  if (!wanted) return own
  const { message } = wanted
  const text = message ? [message, own?.text].filter(Boolean).join('\n') : undefined
  return { ...(own ?? generalQuestion(tool, call)), ...(text ? { text } : {}) }
}

async function ownQuestion(tool: AnyTool, call: CallPart, input: unknown): Promise<Question | undefined> {
  const { approval = 'never' } = tool
  if (approval === 'never') return undefined
  if (approval === 'always') return generalQuestion(tool, call)
  const asked: unknown = await approval(input)
  if (asked === undefined) return undefined
  const id: string = call.callId
  const question = { ...Object(asked), id, kind: 'approval' } as Question
  const issue = issueOf(question)
  if (issue !== undefined) throw new Error(`it cannot be asked: ${issue}`)
  return question
}

function generalQuestion({ name }: AnyTool, { callId, input }: CallPart): Question {
  return { id: callId, kind: 'approval', text: `May the tool ${name} run?`, detail: JSON.stringify(input, undefined, 2) }
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
