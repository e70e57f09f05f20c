import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../statistics.js'
import { textTable } from '../text-table.js'
import { hermesStore } from './hermes-store.js'
import { rawDatabase } from './raw-database.js'

/** A place for events that are on disk before they count. */
export interface EventStore {
  /** One event, on disk when it resolves. */
  receive(id: string): Promise<void>
  /** Many that come at once, on disk when it resolves. */
  receiveAll(ids: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** Opens a store at a path, and makes its file where there is none. */
export type OpenStore = (path: string) => Promise<EventStore>

interface Figures {
  readonly openFreshMs: number
  readonly openFilledMs: number
  readonly loneMs: number
  readonly perSecond: number
}

const loneEvents = 200
const floods = 40
/** As many as one batch of the store takes. */
const floodSize = 128

/** Start and commits of the durable store against raw better-sqlite3 that does the same: opens, makes a table, and keeps events. */
export async function runStoreBench(rounds: number): Promise<string> {
  const raw: Figures[] = []
  const hermes: Figures[] = []
  for (let round = 0; round < rounds; round += 1) {
    raw.push(await measure(rawDatabase))
    hermes.push(await measure(hermesStore))
  }
  const row = (name: string, key: keyof Figures, digits: number): string[] => {
    const baseline = median(raw.map((figures) => figures[key]))
    const ours = median(hermes.map((figures) => figures[key]))
    return [name, baseline.toFixed(digits), ours.toFixed(digits), (ours / baseline).toFixed(2)]
  }
  return textTable([
    ['', 'raw better-sqlite3', 'hermes', 'ratio'],
    row('open a new file, ms', 'openFreshMs', 2),
    row(`open one of ${loneEvents + floods * floodSize} events, ms`, 'openFilledMs', 2),
    row('a lone event on disk, ms', 'loneMs', 2),
    row(`events/s, ${floodSize} at once`, 'perSecond', 0),
  ])
}

async function measure(open: OpenStore): Promise<Figures> {
  const directory = await mkdtemp(join(tmpdir(), 'hermes-bench-'))
  const path = join(directory, 'events.db')
  try {
    const begun = performance.now()
    const store = await open(path)
    const openFreshMs = performance.now() - begun
    const lone: number[] = []
    for (let index = 0; index < loneEvents; index += 1) lone.push(await timed(() => store.receive(`lone-${index}`)))
    const floodMs = await timed(async () => {
      for (let flood = 0; flood < floods; flood += 1) {
        await store.receiveAll(Array.from({ length: floodSize }, (_, index) => `flood-${flood}-${index}`))
      }
    })
    await store.close()
    const openFilledMs = await timed(async () => (await open(path)).close())
    return { openFreshMs, openFilledMs, loneMs: median(lone), perSecond: (floods * floodSize * 1000) / floodMs }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
