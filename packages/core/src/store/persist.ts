import { HermesError, type Clock } from '@hermes/plugin-sdk'
import type { StoreCommandName, StoreCommands } from './commands.js'
import type { StateStore } from './state-store.js'

/** Longest wait between two tries, milliseconds. */
const longestWaitMs = 5000

/** What ends the insistence: a closed or damaged store, and a command that the store refuses by itself. */
const finalCodes = ['stopped', 'store.corrupt', 'store.failed'] as const

/** How to insist on a write. */
export interface PersistOptions {
  readonly clock: Clock
  /** Gives up: rejects with its reason. */
  readonly signal: AbortSignal
  /** Hears of every failed try. */
  readonly onFailure?: ((error: unknown, waitMs: number) => void) | undefined
}

/**
 * Tries a command until the store takes it: a full disk, a foreign lock or a lost worker delay it and lose nothing. Every try bears
 * the same id, so it is applied once. Rejects at once where trying again cannot help (`stopped`, `store.corrupt`, `store.failed`).
 */
export async function persist<N extends StoreCommandName>(
  store: StateStore,
  command: { readonly id: string; readonly name: N; readonly args: StoreCommands[N]['args'] },
  { clock, signal, onFailure }: PersistOptions,
): Promise<StoreCommands[N]['result']> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await store.execute(command.name, command.args, { id: command.id })
    } catch (error) {
      if (finalCodes.some((code) => HermesError.is(error, code))) throw error
      const waitMs = Math.min(100 * 2 ** attempt, longestWaitMs)
      onFailure?.(error, waitMs)
      await clock.sleep(waitMs, signal)
    }
  }
}
