import type { AgentRuntime, AgentTurn } from '@hermes/plugin-sdk'

/** Answers with the last text, without a model. */
export const echo: AgentRuntime = {
  id: 'echo',
  async *run(turn: AgentTurn) {
    const text = turn.input.flatMap((message) => message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))).join('\n')
    yield {
      type: 'message-add',
      message: { role: 'assistant', model: { provider: 'none', model: 'echo' }, finish: 'stop', parts: [{ type: 'text', text }] },
    }
  },
}
