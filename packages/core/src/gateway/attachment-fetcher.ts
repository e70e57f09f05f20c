import {
  HermesError,
  type Adapter,
  type Attachment,
  type Clock,
  type Logger,
  type MediaPart,
  type MediaStore,
  type TextPart,
} from '@hermes/plugin-sdk'
import { CallSlots, isolate, notices } from '../kernel/index.js'
import { imageTypeOf } from './image-type.js'

/** No file that people send to a bot is larger on most platforms; larger ones would fill the memory. */
const limitBytes = 32 * 1024 * 1024
/** One file may take so long, the wait for its adapter included. */
const timeoutMs = 60_000
/** Files that are fetched at once: each is in memory until it is stored. */
const concurrentFetches = 4

/** What the fetching of files needs of the house. */
export interface FetcherPorts {
  readonly clock: Clock
  readonly logger: Logger
  readonly media: MediaStore
  /** The adapter of an instance, while it is connected. */
  adapter(name: string): Adapter | undefined
}

/** Brings the files of messages into the media store. */
export interface AttachmentFetcher {
  /**
   * The file, or a line that says why it is not there: a message is never lost because of what came along. The adapter may still be on
   * its way; `signal` ends the wait. Never rejects.
   */
  fetch(adapter: string, attachment: Attachment, signal: AbortSignal): Promise<MediaPart | TextPart>
  /** An instance is connected: who waits for it goes on. */
  connected(adapter: string): void
}

/** Makes the fetcher. */
export function createAttachmentFetcher(ports: FetcherPorts): AttachmentFetcher {
  const slots = new CallSlots(concurrentFetches)
  const waiting = new Map<string, Set<() => void>>()
  const available = async (name: string, signal: AbortSignal): Promise<Adapter> => {
    for (;;) {
      signal.throwIfAborted()
      const adapter = ports.adapter(name)
      if (adapter) return adapter
      await nextConnection(waiting, name, signal)
    }
  }
  return {
    async fetch(name, attachment, signal) {
      const what = `Adapter ${name}: openAttachment`
      const load = async (over: AbortSignal): Promise<MediaPart> => {
        const end = AbortSignal.any([over, signal])
        const adapter = await available(name, end)
        return slots.use(() => store(adapter, { attachment, ports, signal: end }))
      }
      const fetched = await isolate(load, { clock: ports.clock, timeoutMs, what, signal })
      if (fetched.ok) return fetched.value
      const { kind, name: file } = attachment
      if (!signal.aborted) ports.logger.warn({ adapter: name, kind, error: fetched.error }, 'A file of a message could not be fetched.')
      const reason = HermesError.is(fetched.error, 'attachment.failed') ? fetched.error.detail.why : undefined
      return { type: 'text', text: notices['attachment.missing'](file === undefined ? kind : `${kind} ${file}`, reason) }
    },
    connected(name) {
      for (const goOn of waiting.get(name) ?? []) goOn()
    },
  }
}

interface Fetching {
  readonly attachment: Attachment
  readonly ports: FetcherPorts
  readonly signal: AbortSignal
}

async function store(adapter: Adapter, { attachment, ports, signal }: Fetching): Promise<MediaPart> {
  signal.throwIfAborted()
  if (!adapter.openAttachment) throw failed('this platform hands out no files')
  const opened = await adapter.openAttachment(attachment, signal)
  const bytes = await readAll(opened.body, signal)
  const said = opened.mime ?? attachment.mime ?? 'application/octet-stream'
  // What is no image in its first bytes would make every later request of the conversation fail.
  const mediaType = imageTypeOf(bytes) ?? (said.startsWith('image/') ? 'application/octet-stream' : said)
  return { type: 'media', media: await ports.media.put(bytes, mediaType, attachment.name) }
}

async function readAll(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    signal.throwIfAborted()
    size += chunk.byteLength
    if (size > limitBytes) throw failed(`it is larger than ${limitBytes / 1024 / 1024} MB`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function nextConnection(waiting: Map<string, Set<() => void>>, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const waiters = waiting.get(name) ?? new Set()
    waiting.set(name, waiters)
    const goOn = (): void => {
      waiters.delete(goOn)
      signal.removeEventListener('abort', goOn)
      resolve()
    }
    waiters.add(goOn)
    signal.addEventListener('abort', goOn, { once: true })
  })
}

function failed(why: string): HermesError<'attachment.failed'> {
  return new HermesError('attachment.failed', `The file cannot be fetched: ${why}.`, { why })
}
