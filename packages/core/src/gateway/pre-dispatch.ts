import type { DispatchVerdict, HookBus } from '../hooks/index.js'
import type { InboxRecord } from '../store/index.js'

/** What asking the plugins needs of the house. */
export interface DispatchPorts {
  readonly hooks: Pick<HookBus, 'preDispatch'>
  /** Aborts when the house closes. */
  readonly signal: AbortSignal
}

/** What plugins make of a stored event; `undefined`: the house closed meanwhile, and they are asked again after the next start. */
export function askPlugins({ adapter, event }: InboxRecord, { hooks, signal }: DispatchPorts): Promise<DispatchVerdict | undefined> {
  const verdict = hooks.preDispatch({ event, chat: { ...event.chat, adapter } })
  const end = new AbortController()
  const closed = new Promise<undefined>((resolve) => {
    if (signal.aborted) resolve(undefined)
    else signal.addEventListener('abort', () => resolve(undefined), { once: true, signal: end.signal })
  })
  return Promise.race([verdict, closed]).finally(() => end.abort())
}
