import type { AgentRuntime } from '@hermes/plugin-sdk'
import { jsonSchema, streamText, tool, type LanguageModel, type ToolSet } from 'ai'
import { fromContent, toModelMessages, toUsage } from './messages.js'

/** A loop of one's own over `streamText`: one call for each step, and the tools of the turn between two steps. */
export function ownLoop(model: Exclude<LanguageModel, string>): AgentRuntime {
  const ref = { provider: model.provider, model: model.modelId }
  return {
    id: 'own-loop',
    steers: true,
    async *run(turn) {
      // Declared without `execute`: the host runs them, so that an answer is stored before its tools start and people may be asked.
      const declared = turn.tools.list.map(({ name, description, inputSchema }) => [
        name,
        tool({ description, inputSchema: jsonSchema(inputSchema) }),
      ])
      const tools = Object.fromEntries(declared) as ToolSet
      while (turn.budget.take()) {
        yield { type: 'step-start', model: ref }
        const messages = toModelMessages(turn.messages)
        const step = streamText({ model, system: turn.system, messages, tools, abortSignal: turn.signal, onError() {} })
        for await (const part of step.fullStream) {
          if (part.type === 'text-delta' || part.type === 'reasoning-delta') yield { type: part.type, id: part.id, text: part.text }
          else if (part.type === 'text-end' || part.type === 'reasoning-end') yield { type: part.type, id: part.id }
          else if (part.type === 'error') throw part.error
          else if (part.type === 'abort') return
        }
        const [content, finish, usage] = await Promise.all([step.content, step.finishReason, step.usage.then(toUsage)])
        yield { type: 'step-end', finish, usage }
        yield { type: 'message-add', message: { role: 'assistant', model: ref, finish, usage, parts: fromContent(content) } }

        const calls = content.filter((part) => part.type === 'tool-call')
        if (calls.length === 0) return
        const results = await Promise.all(
          calls.map(({ toolCallId, toolName, input }) => turn.tools.call({ callId: toolCallId, name: toolName, input })),
        )
        if (results.every((result) => result.endsTurn)) return
        for (const message of turn.inbox.take()) yield { type: 'message-add', message }
      }
    },
  }
}
