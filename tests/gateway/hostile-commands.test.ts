import { definePlugin, type Command, type CommandContext } from '@hermes/plugin-sdk'
import { afterAll, afterEach, expect, it } from 'vitest'
import { PaperHouses, type PaperHouse } from './paper-house.js'
import { until } from './paper-platform.js'

const houses = new PaperHouses()

afterEach(() => houses.close())
afterAll(() => houses.dispose())

/** Every look at it throws. */
const poisoned = new Proxy({}, { get: () => raise(new Error('poisoned')), getPrototypeOf: () => raise(new Error('poisoned')) })

it.each<[string, (context: CommandContext) => unknown]>([
  ['throws', () => raise(new Error('broken'))],
  ['throws null', () => raise(null)],
  ['throws what cannot be looked at', () => raise(poisoned)],
  ['rejects with nothing', () => Promise.reject(undefined)],
  ['answers with a number', () => 7],
  ['answers with what cannot be looked at', () => poisoned],
])('a command that %s is told to its chat and in the health, and harms nobody else', async (_what, run) => {
  const { paper, gateway } = await open(run)
  await paper.say('c1', '/bad')
  await until(() => paper.answers('c1').length === 1)
  expect(paper.answers('c1')[0]).toContain('/bad')
  expect(gateway.health().plugins.find(({ id }) => id === 'bad')).toMatchObject({ state: 'degraded', hooks: [{ hook: 'command:bad', failures: 1 }] })
  await paper.say('c1', 'hello')
  await until(() => paper.answers('c1').length === 2)
  expect(paper.answers('c1')[1]).toContain('hello')
})

it.each<[string, () => unknown]>([
  // oxlint-disable-next-line unicorn/no-thenable -- a plugin may bring promises of its own
  ['what answers twice', () => ({ then: (resolve: (text: string) => void) => ['once', 'twice'].forEach((text) => resolve(text)) })],
  ['nothing, for ever', () => new Promise(() => {})],
])('a command that answers with %s harms nobody', async (_what, run) => {
  const { paper } = await open(run)
  await paper.say('c1', '/bad')
  await paper.say('c1', 'hello')
  await until(() => paper.answers('c1').some((text) => text.includes('hello')))
  expect(paper.answers('c1').filter((text) => !text.includes('hello') && text !== 'once')).toEqual([])
})

function open(run: (context: CommandContext) => unknown): Promise<PaperHouse> {
  const command = { name: 'bad', description: 'Misbehaves.', run } as Command
  return houses.open({ plugins: [definePlugin({ id: 'bad', register: (host) => void host.registerCommand(command) })] })
}

function raise(error: unknown): never {
  throw error
}
