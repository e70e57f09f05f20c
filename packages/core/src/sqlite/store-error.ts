import { HermesError } from '@hermes/plugin-sdk'
import type { StoreFailure } from './wire.js'

/** The error that the caller of a store sees. */
export function storeError(failure: StoreFailure): HermesError {
  return new HermesError(failure.code, failure.message, failure.detail)
}
