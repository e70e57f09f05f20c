import { collectionCases } from './store-cases/collection-cases.js'
import { commandCases } from './store-cases/command-cases.js'
import { forgetCases } from './store-cases/forget-cases.js'
import { inboxCases } from './store-cases/inbox-cases.js'
import { outboxCases } from './store-cases/outbox-cases.js'
import { pairingCases } from './store-cases/pairing-cases.js'
import { questionCases } from './store-cases/question-cases.js'
import { runCases } from './store-cases/run-cases.js'
import { sessionCases } from './store-cases/session-cases.js'
import type { StoreCase, StoreUnderTest } from './store-cases/store-case.js'
import { turnCases } from './store-cases/turn-cases.js'

/** The test functions of any runner: vitest's, or those of `node:test`. */
export interface TestApi {
  readonly describe: (name: string, body: () => void) => unknown
  readonly it: (name: string, body: () => Promise<void>) => unknown
}

/** What the suite needs to know of a store. */
export interface StoreConformance {
  readonly create: () => Promise<StoreUnderTest>
}

const groups: { readonly [name: string]: readonly StoreCase[] } = {
  inbox: inboxCases,
  sessions: sessionCases,
  turns: turnCases,
  questions: questionCases,
  runs: runCases,
  outbox: outboxCases,
  pairing: pairingCases,
  collections: collectionCases,
  forgetting: forgetCases,
  'any command': commandCases,
}

/** The promises that every `StateStore` keeps, as tests: `storeConformance({ describe, it }, { create })`. */
export function storeConformance(test: TestApi, setup: StoreConformance): void {
  for (const [group, cases] of Object.entries(groups))
    test.describe(group, () => {
      for (const [promise, check] of cases) test.it(promise, () => checkOne(setup, check))
    })
}

async function checkOne(setup: StoreConformance, check: StoreCase[1]): Promise<void> {
  const under = await setup.create()
  try {
    await check(under.store, under)
  } finally {
    await under.remove()
  }
}
