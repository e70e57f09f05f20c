import { defineTool } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** Tools for the demo: one without input, one with, and one that must not be repeated after a crash, because chance has no memory. */
export const demoTools = [
  defineTool({
    name: 'clock',
    description: 'Tells the date and the time of this machine.',
    input: z.object({}),
    readOnly: true,
    run: () => new Date().toLocaleString('en-GB', { dateStyle: 'full', timeStyle: 'short' }),
  }),
  defineTool({
    name: 'add',
    description: 'Adds two numbers.',
    input: z.object({ left: z.number(), right: z.number() }),
    readOnly: true,
    run: ({ left, right }) => String(left + right),
  }),
  defineTool({
    name: 'dice',
    description: 'Rolls a die.',
    input: z.object({ sides: z.int().min(2).max(1000).default(6) }),
    run: ({ sides }) => String(1 + Math.floor(Math.random() * sides)),
  }),
]
