import type { AgentRuntime, Logger } from '@hermes/plugin-sdk'
import { expect, it } from 'vitest'
import { createMemoryMedia, noHooks } from '../engine/index.js'
import { randomIds } from '../kernel/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createTurnEngine } from './turn-engine.js'

const logger: Logger = { debug() {}, info() {}, warn() {}, error() {} }

function engineWith(instructions: unknown) {
  const agent = { id: 'test', instructions, async *run() {} } as AgentRuntime
  const clock = new FakeClock()
  const closing = new AbortController()
  const parts = {
    plugins: { tools: () => [], recordOf: () => undefined },
    hooks: noHooks,
    media: createMemoryMedia(randomIds),
    clock,
    ids: randomIds,
    logger,
    signal: closing.signal,
  }
  return { engine: createTurnEngine({ agent, maxSteps: 90 }, parts), clock, closing }
}

it('waits for instructions no longer than 30 seconds', async () => {
  const { engine, clock } = engineWith(() => new Promise(() => {}))
  const [prompt] = await Promise.all([engine.prepare('lane', undefined).catch((error: unknown) => error), clock.advance(30_000)])
  expect(prompt).toMatchObject({ code: 'timed-out' })
  expect(clock.sleeping).toEqual([])
})

it('waits for instructions no longer than the house is open', async () => {
  const { engine, clock, closing } = engineWith(() => new Promise(() => {}))
  const prompt = engine.prepare('lane', undefined)
  closing.abort('closing')
  await expect(prompt).rejects.toBe('closing')
  expect(clock.sleeping).toEqual([])
})

it.each([undefined, null, 5, {}])('refuses instructions that are %s, not a text', async (said) => {
  await expect(engineWith(() => said).engine.prepare('lane', undefined)).rejects.toMatchObject({ code: 'value.invalid' })
})

it('gives a prompt for the text of a function', async () => {
  expect(await engineWith(async () => 'You are a test.').engine.prepare('lane', undefined)).toMatchObject({ system: 'You are a test.' })
})
