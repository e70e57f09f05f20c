import { toTrouble } from '../failures.js'
import { toGrammySignal } from '../grammy-signal.js'
import { UpdatePoller } from './polling.js'
import type { Transport, TransportParts } from './transport.js'

/** Begins to poll. A webhook that an earlier life left must be gone first; on a reconnect it seldom is there. */
export async function openPolling({ api, intake, context, options, updateKinds, signal, dropsQueue }: TransportParts): Promise<Transport> {
  try {
    await api.deleteWebhook({ drop_pending_updates: dropsQueue }, toGrammySignal(signal))
  } catch (error) {
    if (!context.isReconnect || signal.aborted) throw error
    context.logger.warn({ detail: toTrouble(error).detail }, 'The webhook could not be deleted; where there is none, polling works all the same')
  }
  const poller = new UpdatePoller({ api, intake, context, updateKinds, options: options.polling })
  const ended = poller.run(signal)
  return {
    async end(hurry) {
      await settledOrAborted(ended, hurry)
      await poller.confirm(hurry)
    },
  }
}

/** Waits for work that never rejects, but not longer than the signal allows. */
async function settledOrAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  const settled = new AbortController()
  const aborted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true, signal: settled.signal })
  })
  await Promise.race([work, aborted])
  settled.abort()
}
