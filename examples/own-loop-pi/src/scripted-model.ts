import { fauxAssistantMessage, fauxToolCall, registerFauxProvider, type Api, type Context, type Model } from '@mariozechner/pi-ai'

/** A model without a network: it asks for the weather in Bern, and says what the tool said. */
export function scriptedModel(): Model<Api> {
  const provider = registerFauxProvider()
  const reply = ({ messages }: Context) => {
    // pi forgets a reply once it was given.
    provider.appendResponses([reply])
    const tail = messages.at(-1)
    if (tail?.role !== 'toolResult') return fauxAssistantMessage(fauxToolCall('weather', { city: 'Bern' }), { stopReason: 'toolUse' })
    return fauxAssistantMessage(tail.content.map((part) => (part.type === 'text' ? part.text : '')).join(''))
  }
  provider.setResponses([reply])
  return provider.getModel()
}
