import type { AgentToolResult } from '@mariozechner/pi-agent-core'
import type { AssistantMessage, CallId, Finish, JsonValue, Message, New, ToolMessage, Usage } from '@hermes/plugin-sdk'
import type { Api, AssistantMessage as PiAnswer, Message as PiMessage, Model } from '@mariozechner/pi-ai'

const finishOf: { readonly [reason in PiAnswer['stopReason']]: Finish } = {
  stop: 'stop',
  length: 'length',
  toolUse: 'tool-calls',
  error: 'error',
  aborted: 'other',
}

/** A message of the transcript, as pi has it. */
export function toPi(message: Message, model: Model<Api>): PiMessage {
  const timestamp = message.at
  switch (message.role) {
    case 'user':
    case 'summary':
      return { role: 'user', content: textOf(message), timestamp }
    case 'tool': {
      const content = [{ type: 'text' as const, text: textOf(message) }]
      return { role: 'toolResult', toolCallId: message.callId, toolName: message.name, content, isError: message.status !== 'ok', timestamp }
    }
    case 'assistant': {
      const { api, provider, id } = model
      const stopReason = message.finish === 'tool-calls' ? 'toolUse' : message.finish === 'length' ? 'length' : 'stop'
      return {
        role: 'assistant',
        api,
        provider,
        model: id,
        content: message.parts.flatMap(toPiPart),
        usage: toPiUsage(message.usage),
        stopReason,
        timestamp,
      }
    }
  }
}

/** An answer of pi, for the transcript. Thinking is left out: only its own model could read it again. */
export function fromPi(answer: PiAnswer): New<AssistantMessage> & { readonly usage: Usage } {
  const { provider, model, stopReason, content } = answer
  const { input, output, cacheRead, cacheWrite } = answer.usage
  const parts = content.flatMap((part): AssistantMessage['parts'] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type === 'thinking') return []
    return [{ type: 'tool-call', callId: part.id as CallId, name: part.name, input: part.arguments as JsonValue }]
  })
  return {
    role: 'assistant',
    model: { provider, model },
    finish: finishOf[stopReason],
    usage: { input, output, cacheRead, cacheWrite, reasoning: 0 },
    parts,
  }
}

/** What a tool gave back, as pi takes it. To throw is pi's way to say that it is an error. */
export function toPiResult(result: ToolMessage): AgentToolResult<undefined> {
  if (result.status !== 'ok') throw new Error(textOf(result))
  return { content: [{ type: 'text', text: textOf(result) }], details: undefined, terminate: result.endsTurn === true }
}

/** What a message says in words; a medium is told by its kind. */
function textOf({ parts }: Exclude<Message, AssistantMessage>): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'json' ? JSON.stringify(part.value) : `[${part.media.mediaType}]`))
    .join('\n')
}

function toPiPart(part: AssistantMessage['parts'][number]): PiAnswer['content'] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'reasoning') return []
  return [{ type: 'toolCall', id: part.callId, name: part.name, arguments: part.input as Record<string, unknown> }]
}

function toPiUsage(
  { input, output, cacheRead, cacheWrite }: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
): PiAnswer['usage'] {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost }
}
