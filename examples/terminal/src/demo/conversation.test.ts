import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { createGateway, type Gateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { terminal } from '../adapter/index.js'
import { createDemoAgent } from './demo-agent.js'

let directory: string
const gateways: Gateway[] = []
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'hermes-terminal-'))
})
afterEach(async () => {
  for (const gateway of gateways.splice(0)) await gateway.stop()
  await rm(directory, { recursive: true, force: true })
})

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A gateway with a terminal on pipes, as the demo opens it. */
async function openChat() {
  const input = new PassThrough()
  const output = new PassThrough({ encoding: 'utf8' })
  const writes: string[] = []
  const waiters = new Set<() => void>()
  output.on('data', (text: string) => {
    writes.push(text)
    for (const look of waiters) look()
  })
  const gateway = createGateway({ agent: createDemoAgent(undefined, 0), store: sqliteStore(join(directory, 'hermes.db')), logger: quiet })
  gateways.push(gateway)
  await gateway.start()
  await gateway.use(terminal({ input, output, allowFrom: ['local'] }))
  const shown = (text: RegExp): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        const all = writes.join('')
        if (all.search(text) < 0) return
        waiters.delete(look)
        resolve(all)
      }
      waiters.add(look)
      look()
    })
  return { gateway, writes, shown, type: (line: string) => void input.write(`${line}\n`) }
}

it('shows an answer while it grows, and no word of it twice', async () => {
  const chat = await openChat()
  chat.type('tell me something')
  const all = await chat.shown(/long answer\.\n/)
  expect(all).toMatch(/^hermes › You said “tell me something”\. I am a small offline model\. [^\n]+ or for a long answer\.\n$/)
  expect(chat.writes.length).toBeGreaterThan(2)
})

it('answers with a tool, and knows commands', async () => {
  const chat = await openChat()
  chat.type('what is 19 + 23?')
  expect(await chat.shown(/42\.\n/)).toBe('hermes › That makes 42.\n')
  chat.type('/new')
  expect(await chat.shown(/New conversation/)).toContain('\nhermes › ')
  chat.type('what did I say first?')
  expect(await chat.shown(/here\.\n/)).toContain('hermes › This is the first thing you say to me here.\n')
})

it('shows an answer of 9,000 characters with blocks of code as one, as it was written', async () => {
  const chat = await openChat()
  chat.type('a long answer, please')
  const all = await chat.shown(/= 17 \* 19\n```\n/)
  expect(all.length).toBeGreaterThan(9000)
  expect(all.match(/hermes ›/g)).toHaveLength(1)
  expect(all.match(/^```/gm)).toHaveLength(34)
})

it('goes on with the session after a restart', async () => {
  const first = await openChat()
  first.type('remember the tea')
  await first.shown(/long answer\.\n/)
  await first.gateway.stop()
  const second = await openChat()
  second.type('what did I say first?')
  expect(await second.shown(/\n/)).toBe('hermes › The first thing you said was “remember the tea”.\n')
})
