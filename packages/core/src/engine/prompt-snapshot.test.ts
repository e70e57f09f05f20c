import { defineTool } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PromptBuilder } from './index.js'

const tool = (name: string, description = 'A tool.') => defineTool({ name, description, input: z.object({ a: z.string() }), run: () => '' })

/** As a process that has just begun builds it. */
const snapshotOf = ({ runtime, ...occasion }: { runtime: ConstructorParameters<typeof PromptBuilder>[0] } & Parameters<PromptBuilder['build']>[0]) =>
  new PromptBuilder(runtime).build(occasion)

describe('the prompt snapshot', () => {
  it('lists the tools of host and runtime by name', async () => {
    const { tools, system } = await snapshotOf({
      runtime: { id: 'a', instructions: 'Hi.', tools: [tool('b')] },
      lane: 'l',
      tools: [tool('c'), tool('a')],
    })
    expect(tools.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
    expect(system).toBe('Hi.')
  })

  it('is the stored one, byte for byte, while the settings are the same, and instructions are not asked again', async () => {
    let asked = 0
    const parts = { runtime: { id: 'a', instructions: () => `Time ${asked++}.` }, lane: 'l', tools: [tool('a'), tool('b')] }
    const stored = JSON.parse(JSON.stringify(await snapshotOf(parts))) as Awaited<ReturnType<typeof snapshotOf>>
    expect(await snapshotOf({ ...parts, tools: [tool('b'), tool('a')], stored })).toBe(stored)
    expect(asked).toBe(1)
  })

  it.each([
    ['a description', { tools: [tool('a', 'Other.')] }],
    ['a tool', { tools: [] }],
    ['instructions', { runtime: { id: 'a', instructions: 'Other.' } }],
  ])('is made anew when %s changed', async (_what, change) => {
    const parts = { runtime: { id: 'a', instructions: 'Hi.' }, lane: 'l', tools: [tool('a')] }
    const stored = await snapshotOf(parts)
    expect((await snapshotOf({ ...parts, ...change, stored })).hash).not.toBe(stored.hash)
  })

  it('is written out anew only for other tools', async () => {
    const builder = new PromptBuilder({ id: 'a', instructions: 'Hi.' })
    const [first, second] = [tool('a'), tool('b')]
    const built = await builder.build({ lane: 'l', tools: [first] })
    expect((await builder.build({ lane: 'm', tools: [first] })).tools).toBe(built.tools)
    expect((await builder.build({ lane: 'l', tools: [first, second] })).tools.map(({ name }) => name)).toEqual(['a', 'b'])
    expect((await builder.build({ lane: 'l', tools: [first] })).hash).toBe(built.hash)
  })
})
