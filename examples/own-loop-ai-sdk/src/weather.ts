import { defineTool } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** A tool like any other: whatever loop runs the agent, the host checks its input, runs it and keeps its result. */
export const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  input: z.object({ city: z.string() }),
  readOnly: true,
  run: ({ city }) => `It is sunny in ${city}.`,
})
