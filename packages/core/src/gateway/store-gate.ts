import { HermesError } from '@hermes/plugin-sdk'

/** Holds what plugins ask of the store until it is open: they register while it opens. */
export interface StoreGate {
  /** Rejects with `stopped` when the house closes before. */
  readonly whenOpen: Promise<void>
  open(): void
}

/** Makes a closed gate. */
export function createStoreGate(signal: AbortSignal): StoreGate {
  let open: () => void = () => {}
  const whenOpen = new Promise<void>((resolve, reject) => {
    open = resolve
    const giveUp = (): void => reject(new HermesError('stopped', 'The gateway was stopped before its store was open.', { what: 'store' }))
    if (signal.aborted) giveUp()
    else signal.addEventListener('abort', giveUp, { once: true })
  })
  // Where nobody waits, nobody needs to hear of it.
  whenOpen.catch(() => undefined)
  return { whenOpen, open: () => open() }
}
