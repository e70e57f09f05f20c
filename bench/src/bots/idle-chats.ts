import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { defineAdapter, type AdapterContext } from '@hermes/plugin-sdk'
import { z } from 'zod'
import type { ChatMemory } from '../memory/memory-bench.js'
import { sampleEvent } from '../store/sample-event.js'
import { echo } from './echo-agent.js'

/** How many chats were answered when the memory is read: the first thousand fill the caches. */
const steps = [0, 1000, 5000, 10_000]
/** Chats that talk at once. */
const width = 50

const answered = new Map<string, () => void>()
let connected: (context: AdapterContext) => void = () => {}
const context = new Promise<AdapterContext>((resolve) => (connected = resolve))

const platform = defineAdapter({
  platform: 'bench',
  options: z.object({}),
  create: () => ({
    platform: 'bench',
    async connect(given) {
      await given.wireNative({})
      connected(given)
    },
    async disconnect() {},
    capabilities: () => ({ text: { limit: 4000, unit: 'utf16', dialect: 'markdown' } }),
    async send({ chatId }) {
      answered.get(chatId)?.()
      answered.delete(chatId)
      return { status: 'sent', ids: [chatId] }
    },
  }),
})

async function talk(chatId: string): Promise<void> {
  const answer = new Promise<void>((resolve) => answered.set(chatId, resolve))
  const event = sampleEvent(`message:${chatId}`)
  const { receive } = await context
  await receive({ ...event, chat: { ...event.chat, chatId }, author: { ...event.author, id: chatId } })
  await answer
}

function memoryOf(chats: number): ChatMemory {
  for (let times = 0; times < 3; times += 1) globalThis.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { chats, heapBytes: heapUsed, rssBytes: rss }
}

const directory = await mkdtemp(join(tmpdir(), 'hermes-bench-'))
const gateway = createGateway({
  agent: echo,
  store: sqliteStore(join(directory, 'hermes.db')),
  limits: { messagesPerMinute: 0 },
  plugins: [platform({ allowAll: true })],
})
await gateway.start()
const memory: ChatMemory[] = []
let chats = 0
for (const step of steps) {
  for (; chats < step; chats += width) await Promise.all(Array.from({ length: width }, (_, index) => talk(String(chats + index))))
  memory.push(memoryOf(chats))
}
await gateway.stop()
await rm(directory, { recursive: true, force: true })
process.send?.(memory)
process.disconnect()
