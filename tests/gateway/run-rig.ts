import { ScriptedModel } from '@hermes/core/testing'
import { definePlugin, defineTool, type AgentEvent, type Plugin, type Run } from '@hermes/plugin-sdk'
import { z } from 'zod'

/** All that a run showed, once nothing follows. */
export async function eventsOf(run: Run): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of run.events) events.push(event)
  return events
}

/** The id of the first question that the run opens. */
export async function openQuestion(run: Run): Promise<string> {
  for await (const event of run.events) if (event.type === 'question-open') return event.question.id
  throw new Error('no question was opened')
}

/** A tool that must be allowed, a model that calls it, and what was paid. */
export function payTool(): { readonly paid: readonly number[]; readonly plugin: Plugin; readonly model: ScriptedModel } {
  const paid: number[] = []
  const tool = defineTool({
    name: 'pay',
    description: 'Pays a bill.',
    input: z.object({ amount: z.number() }),
    approval: 'always',
    run({ amount }) {
      paid.push(amount)
      return `Paid ${amount}.`
    },
  })
  const plugin = definePlugin({ id: 'bank', register: (host) => void host.registerTool(tool) })
  return { paid, plugin, model: ScriptedModel.toolThenAnswer({ name: 'pay', input: { amount: 20 } }) }
}
