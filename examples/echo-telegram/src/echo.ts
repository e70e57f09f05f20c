import type { AgentRuntime } from '@hermes/plugin-sdk'

/** An agent without a model: it says what was said to it. */
export const echo: AgentRuntime = {
  id: 'echo',
  async *run({ input }) {
    const text = input.flatMap((message) => message.parts.map((part) => (part.type === 'text' ? part.text : '[media]'))).join('\n')
    yield {
      type: 'message-add',
      message: { role: 'assistant', model: { provider: 'echo', model: 'echo' }, finish: 'stop', parts: [{ type: 'text', text }] },
    }
  },
}
