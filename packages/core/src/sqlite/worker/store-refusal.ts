import type { StoreFailure } from '../wire.js'

/** A failure on its way through the worker. */
export class StoreRefusal extends Error {
  readonly failure: StoreFailure

  constructor(failure: StoreFailure, options?: ErrorOptions) {
    super(failure.message, options)
    this.failure = failure
  }
}
