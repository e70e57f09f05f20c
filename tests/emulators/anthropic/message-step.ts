/**
 * What the next request gets: a message (a signed thought, then a text, then a tool call), a refusal, or an error inside a stream
 * that began.
 */
export type AnthropicStep =
  | {
      thinking?: { text: string; signature: string } | undefined
      text?: string | undefined
      toolCall?: { id: string; name: string; input: unknown } | undefined
    }
  | { refusal: { status: number; type: string; message: string } }
  | { streamError: { type: string; message: string } }

/** The events that make up a message, in order. */
export function eventsOf(step: Exclude<AnthropicStep, { refusal: unknown }>, model: string): readonly { readonly type: string }[] {
  const usage = { input_tokens: 10, cache_read_input_tokens: 4, cache_creation_input_tokens: 2, output_tokens: 1 }
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage }
  const start = { type: 'message_start', message }
  if ('streamError' in step) return [start, { type: 'error', error: step.streamError } as { type: string }]
  const blocks = blocksOf(step).map(({ open, deltas }, index) => [
    { type: 'content_block_start', index, content_block: open },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ])
  const end = {
    type: 'message_delta',
    delta: { stop_reason: step.toolCall ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: 5 },
  }
  return [start, ...blocks.flat(), end, { type: 'message_stop' }]
}

function blocksOf({ thinking, text, toolCall }: Exclude<AnthropicStep, { refusal: unknown } | { streamError: unknown }>) {
  const blocks: { open: object; deltas: object[] }[] = []
  if (thinking) {
    const deltas = [
      { type: 'thinking_delta', thinking: thinking.text },
      { type: 'signature_delta', signature: thinking.signature },
    ]
    blocks.push({ open: { type: 'thinking', thinking: '', signature: '' }, deltas })
  }
  if (text !== undefined) blocks.push({ open: { type: 'text', text: '' }, deltas: [{ type: 'text_delta', text }] })
  if (toolCall) {
    const { id, name, input } = toolCall
    blocks.push({ open: { type: 'tool_use', id, name, input: {} }, deltas: [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }] })
  }
  return blocks
}
