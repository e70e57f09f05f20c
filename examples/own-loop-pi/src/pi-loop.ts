import { eventsFrom, type AgentRuntime, type UserMessage } from '@hermes/plugin-sdk'
import { runAgentLoopContinue, type AgentLoopConfig, type AgentMessage, type AgentTool } from '@mariozechner/pi-agent-core'
import type { Api, Message as PiMessage, Model } from '@mariozechner/pi-ai'
import { fromPi, toPi, toPiResult } from './pi-messages.js'

/** The loop of pi. It calls back and awaits its sink: what it emits is stored before it goes on. */
export function piLoop(model: Model<Api>): AgentRuntime {
  const ref = { provider: model.provider, model: model.id }
  return {
    id: 'pi-loop',
    steers: true,
    run: (turn) =>
      eventsFrom(async (emit) => {
        const tools = turn.tools.list.map(({ name, description, inputSchema: parameters }): AgentTool => {
          const call = async (callId: string, input: unknown) => toPiResult(await turn.tools.call({ callId, name, input }))
          return { name, label: name, description, parameters, execute: call }
        })
        const notes = new Map<AgentMessage, UserMessage>()
        let isBehindTools = false
        const config: AgentLoopConfig = {
          model,
          convertToLlm: (messages) => messages as PiMessage[],
          shouldStopAfterTurn: ({ message }) => turn.signal.aborted || (message.stopReason === 'toolUse' && !turn.budget.take()),
          // pi also asks at the end of an answer: a note that comes then is the next turn's.
          getSteeringMessages: () => Promise.resolve(isBehindTools ? turn.inbox.take().map((note) => noted(toPi(note, model), note)) : []),
        }
        const noted = (message: PiMessage, note: UserMessage): PiMessage => (notes.set(message, note), message)
        if (!turn.budget.take()) return
        const messages = turn.messages.map((message) => toPi(message, model))
        await runAgentLoopContinue(
          { systemPrompt: turn.system, messages, tools },
          config,
          async (event) => {
            if (event.type === 'turn_end') isBehindTools = event.toolResults.length > 0
            if (event.type === 'message_start' && event.message.role === 'assistant') await emit({ type: 'step-start', model: ref })
            const update = event.type === 'message_update' ? event.assistantMessageEvent : undefined
            if (update?.type === 'text_delta') await emit({ type: 'text-delta', id: String(update.contentIndex), text: update.delta })
            if (event.type !== 'message_end') return
            const note = notes.get(event.message)
            if (note) await emit({ type: 'message-add', message: note })
            if (event.message.role !== 'assistant' || event.message.stopReason === 'aborted') return
            if (event.message.stopReason === 'error') throw new Error(event.message.errorMessage)
            const answer = fromPi(event.message)
            await emit({ type: 'step-end', finish: answer.finish, usage: answer.usage })
            await emit({ type: 'message-add', message: answer })
          },
          turn.signal,
        )
      }),
  }
}
