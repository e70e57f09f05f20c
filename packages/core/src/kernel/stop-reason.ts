import type { StopReason } from '@hermes/plugin-sdk'

const abandoning: ReadonlySet<StopReason['kind']> = new Set(['stop', 'reset', 'disconnect'])

/** A reason, with what it does to what the turn started. */
export function stopReason(kind: StopReason['kind']): StopReason {
  return { kind, abandons: abandoning.has(kind) }
}
