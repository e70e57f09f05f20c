import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { TurnEnding } from '../store/index.js'
import { inFolder, piece } from './in-folder.js'
import { sqliteStore } from './index.js'

const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
const ending: TurnEnding = { outcome: { status: 'completed', text: 'a', steps: 1, usage }, state: 'settled', facts: [], outbox: [piece('a')] }

it('keeps nothing of a turn that ended long ago, in no table', () =>
  inFolder(async (path, track) => {
    const store = track(sqliteStore(path))
    await store.open()
    const { chat } = piece('a')
    const author = { id: 'u', isBot: false }
    const event = { kind: 'message', id: 'e', at: 1, chat, messageId: 'm', author, text: 'hello', mentions: 'us' } as const
    const route = { key: 'k', conversation: 'c', chat, limit: 1 }
    await store.execute('inbox.receive', { adapter: 'test', account: 'bot', events: [{ event, route }], at: 1 })
    const claim = await store.execute('turn.claim', { lane: 'c', turn: 't', at: 3 })
    await store.execute('turn.end', { lane: 'c', epoch: claim?.epoch ?? 0, ending, at: 4 })
    await store.execute('outbox.settle', { key: 'a', state: 'sent', outcome: { status: 'sent', ids: [] }, at: 5 })
    expect(await store.execute('store.forget', { before: 6, limit: 10 })).toBe(3)
    await store.close()
    const database = new Database(path, { readonly: true })
    const countOf = (table: string): unknown => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
    expect(['inbox', 'turns', 'intents', 'outbox'].map(countOf)).toEqual([0, 0, 0, 0])
    database.close()
  }))
