/** A call of a tool that the model asks for. */
export interface ScriptedToolCall {
  readonly name: string
  readonly input: unknown
  /** Default `call_1`, `call_2`, … within the answer. */
  readonly id?: string | undefined
}

/**
 * What the next request gets: an answer (a text goes out in the given pieces, then the tool calls), an error status with a message,
 * or a stream that is reset after its text.
 */
export type ModelStep =
  | { text?: string | readonly string[] | undefined; toolCalls?: readonly ScriptedToolCall[] | undefined }
  | { errorStatus: number; retryAfterSeconds?: number | undefined; message?: string | undefined }
  | { cutAfter: string }

/** The `data` of the events that make up an answer, without the closing `[DONE]`. */
export function chunksOf(step: Exclude<ModelStep, { errorStatus: number }>, model: string): object[] {
  const chunk = (delta: object, finishReason: string | null = null): object => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_767_225_600,
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  })
  if ('cutAfter' in step) return [chunk({ role: 'assistant', content: step.cutAfter })]
  const { text = [], toolCalls = [] } = step
  const pieces = typeof text === 'string' ? [text] : text
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    ...toolCalls.map((call, index) => chunk({ tool_calls: [toolCallDelta(call, index)] })),
    { ...chunk({}, toolCalls.length > 0 ? 'tool_calls' : 'stop'), usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } },
  ]
}

function toolCallDelta({ name, input, id }: ScriptedToolCall, index: number): object {
  return { index, id: id ?? `call_${index + 1}`, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}
