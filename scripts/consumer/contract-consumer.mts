import { createAgent, createGateway, memoryStore, runTurn } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { FakeClock, ScriptedModel } from '@hermes/core/testing'
import { defineAdapter, defineCommand, definePlugin, defineTool, secret, type Adapter, type AgentEvent } from '@hermes/plugin-sdk'
import { agentRuntimeConformance } from '@hermes/plugin-sdk/conformance'
import { z } from 'zod'

export const weather = defineTool({
  name: 'weather',
  description: 'Tells the weather of a city.',
  input: z.object({ city: z.string() }),
  run: ({ city }) => `Sunny in ${city}.`,
})

export const ping = definePlugin({
  id: 'ping',
  register(host) {
    host.registerTool(weather)
    host.registerCommand(defineCommand({ name: 'ping', description: 'Answers pong.', run: () => 'pong' }))
  },
})

declare const adapter: Adapter<'foo'>
export const foo = defineAdapter({ platform: 'foo', options: z.object({ token: secret() }), create: () => adapter })

const agent = createAgent({ model: new ScriptedModel([]), tools: [weather] })
export const gateway = createGateway({ agent, store: sqliteStore('./hermes.db'), plugins: [ping, foo({ token: 't' })] })
export const embedded = createGateway({ agent, store: memoryStore(), clock: new FakeClock() })

export function checkLoop(test: Parameters<typeof agentRuntimeConformance>[0]): void {
  agentRuntimeConformance(test, { runTurn, create: (script) => createAgent({ model: ScriptedModel.playing(script) }) })
}

export async function readAnswer(question: string): Promise<string> {
  const { events, result } = agent.stream({ messages: question })
  for await (const event of events) void (event satisfies AgentEvent)
  return (await result).outcome.text
}
