import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StateStore, NewOutboxRecord } from '../store/index.js'

/** For tests: runs with the path of a database that is not there yet, closes what was opened, removes the folder. */
export async function inFolder(run: (path: string, track: (store: StateStore) => StateStore) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-sqlite-'))
  const stores: StateStore[] = []
  try {
    await run(join(folder, 'data', 'hermes.db'), (store) => {
      stores.push(store)
      return store
    })
  } finally {
    for (const store of stores) await store.close()
    await rm(folder, { recursive: true })
  }
}

/** For tests: a piece to put into the outbox. */
export function piece(key: string): NewOutboxRecord {
  const chat = { platform: 'test', adapter: 'test', kind: 'dm', chatId: 'c' } as const
  return { key, chat, message: { text: key, format: 'plain' }, piece: { index: 0, count: 1 }, state: 'pending', dueAt: 0 }
}
