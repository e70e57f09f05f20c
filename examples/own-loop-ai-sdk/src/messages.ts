import type { AssistantMessage, CallId, JsonValue, Message, Usage } from '@hermes/plugin-sdk'
import type { AssistantContent, ContentPart, LanguageModelUsage, ModelMessage, ToolSet } from 'ai'

/** The transcript as `streamText` takes it. */
export function toModelMessages(messages: readonly Message[]): ModelMessage[] {
  return messages.map((message): ModelMessage => {
    switch (message.role) {
      case 'user':
      case 'summary':
        return { role: 'user', content: textOf(message) }
      case 'assistant':
        return { role: 'assistant', content: message.parts.flatMap(toAnswerPart) }
      case 'tool': {
        const output = { type: message.status === 'ok' ? ('text' as const) : ('error-text' as const), value: textOf(message) }
        return { role: 'tool', content: [{ type: 'tool-result', toolCallId: message.callId, toolName: message.name, output }] }
      }
    }
  })
}

/** What `streamText` answered, as the parts of a message. Reasoning is left out: only its own model could read it again. */
export function fromContent(content: readonly ContentPart<ToolSet>[]): AssistantMessage['parts'] {
  return content.flatMap((part): AssistantMessage['parts'] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type !== 'tool-call') return []
    return [{ type: 'tool-call', callId: part.toolCallId as CallId, name: part.toolName, input: part.input as JsonValue }]
  })
}

/** Tokens, as hermes counts them. */
export function toUsage({ inputTokens = 0, outputTokens = 0, inputTokenDetails, outputTokenDetails }: LanguageModelUsage): Usage {
  return {
    input: inputTokenDetails.noCacheTokens ?? inputTokens,
    output: outputTokens,
    cacheRead: inputTokenDetails.cacheReadTokens ?? 0,
    cacheWrite: inputTokenDetails.cacheWriteTokens ?? 0,
    reasoning: outputTokenDetails.reasoningTokens ?? 0,
  }
}

function toAnswerPart(part: AssistantMessage['parts'][number]): Exclude<AssistantContent, string> {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type !== 'tool-call') return []
  return [{ type: 'tool-call', toolCallId: part.callId, toolName: part.name, input: part.input }]
}

/** What a message says in words; a medium is told by its kind and its name. */
function textOf({ parts }: Exclude<Message, AssistantMessage>): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'json' ? JSON.stringify(part.value) : `[${part.media.mediaType}]`))
    .join('\n')
}
