import { sqliteStore } from '@hermes/core/sqlite'
import { sampleEvent } from './sample-event.js'
import type { EventStore } from './store-bench.js'

/** The store of the gateway: its worker starts with it, its file is checked, and its commands of one moment share a commit. */
export async function hermesStore(path: string): Promise<EventStore> {
  const store = sqliteStore(path)
  await store.open()
  const receive = (id: string) =>
    store.execute('inbox.receive', { adapter: 'bench', account: 'bench', events: [{ event: sampleEvent(id) }], at: Date.now() })
  return {
    receive: async (id) => void (await receive(id)),
    receiveAll: async (ids) => void (await Promise.all(ids.map(receive))),
    close: () => store.close(),
  }
}
