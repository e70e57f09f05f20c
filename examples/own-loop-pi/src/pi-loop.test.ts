import { runTurn } from '@hermes/core'
import { agentRuntimeConformance, type ModelScript, type SentMessage } from '@hermes/plugin-sdk/conformance'
import { fauxAssistantMessage, fauxText, fauxToolCall, registerFauxProvider, type Api, type Context, type Model } from '@mariozechner/pi-ai'
import { afterAll, describe, it } from 'vitest'
import { piLoop } from './pi-loop.js'

const registered: { unregister(): void }[] = []
afterAll(() => {
  for (const provider of registered) provider.unregister()
})

/** A model of pi that plays the script of a case. */
function playing(script: ModelScript): Model<Api> {
  const provider = registerFauxProvider()
  registered.push(provider)
  const reply: Parameters<typeof provider.setResponses>[0][number] = async ({ messages }, options) => {
    const { text, calls = [], wait, failure } = script.next(messages.map(toSent))
    await wait?.(options?.signal)
    if (failure) return fauxAssistantMessage([], { stopReason: 'error', errorMessage: failure.message })
    const content = [...(text === undefined ? [] : [fauxText(text)]), ...calls.map(({ id, name, input }) => fauxToolCall(name, input, { id }))]
    return fauxAssistantMessage(content, { stopReason: calls.length > 0 ? 'toolUse' : 'stop' })
  }
  // As many as a case may ask for: the script itself says when it is over.
  provider.setResponses(Array.from({ length: 10 }, () => reply))
  return provider.getModel()
}

function toSent({ role, content }: Context['messages'][number]): SentMessage {
  const text = typeof content === 'string' ? content : content.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { role: role === 'toolResult' ? 'tool' : role, text }
}

describe('the loop of pi keeps what every agent loop promises:', () => {
  agentRuntimeConformance({ describe, it }, { runTurn, create: (script) => piLoop(playing(script)) })
})
