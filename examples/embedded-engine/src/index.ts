// A question comes in; what happens while it is answered goes out, then the answer. No gateway, no store, no key.

import { createAgent } from '@hermes/core'
import { ScriptedModel } from '@hermes/core/testing'
import { defineTool } from '@hermes/plugin-sdk'
import { z } from 'zod'

const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  input: z.object({ city: z.string() }),
  readOnly: true,
  run: ({ city }) => `Sunny in ${city}, 21 °C.`,
})

// Any AI SDK language model stands here as well: openai('…'), anthropic('…'), …
const model = ScriptedModel.toolThenAnswer({ name: 'weather', input: { city: 'Bern' }, answer: 'It is sunny in Bern: take your bicycle.' })

const agent = createAgent({ model, instructions: 'You are helpful.', tools: [weather] })
const run = agent.stream({ messages: 'How is the weather in Bern?' })

for await (const event of run.events) {
  if (event.type === 'tool-start') console.log(`calls ${event.name}(${JSON.stringify(event.input)})`)
  if (event.type === 'text-delta') process.stdout.write(event.text)
}
const { outcome, messages } = await run.result
console.log(`\n${outcome.status} after ${outcome.steps} model calls; the conversation has ${messages.length} messages`)
