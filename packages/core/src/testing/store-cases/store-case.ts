import type { StateStore } from '../../store/index.js'

/** A fresh, open store for one test. */
export interface StoreUnderTest {
  readonly store: StateStore
  /** Closes the store and opens what it left, as a new process would. Absent: the store keeps nothing. */
  readonly reopen?: (() => Promise<StateStore>) | undefined
  readonly remove: () => Promise<void>
}

/** One promise of a store, as a sentence, and how to see that it is kept. */
export type StoreCase = readonly [promise: string, check: (store: StateStore, under: StoreUnderTest) => Promise<void>]
