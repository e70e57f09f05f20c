import { HermesError, type Adapter, type Attachment } from '@hermes/plugin-sdk'
import { expect, it } from 'vitest'
import { createMemoryMedia } from '../engine/index.js'
import { randomIds } from '../kernel/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createAttachmentFetcher } from './attachment-fetcher.js'

const png = Buffer.from('\x89PNG\r\n\x1a\nrest', 'latin1')
const image: Attachment = { kind: 'image', ref: { file: '1' }, name: 'cat.png', mime: 'image/png' }

function setUp(openAttachment?: Adapter['openAttachment']) {
  const clock = new FakeClock()
  const warnings: object[] = []
  const media = createMemoryMedia(randomIds)
  let isConnected = true
  const adapter = { openAttachment } as Adapter
  const fetcher = createAttachmentFetcher({
    clock,
    media,
    logger: { debug() {}, info() {}, warn: (fields) => void warnings.push(fields), error() {} },
    adapter: () => (isConnected ? adapter : undefined),
  })
  const connect = (): void => {
    isConnected = true
    fetcher.connected('test')
  }
  return { clock, media, warnings, connect, cutOff: () => (isConnected = false), fetch: fetcher.fetch.bind(fetcher) }
}

async function* chunksOf(...chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}
const serving = (bytes: Uint8Array) => async () => ({ body: chunksOf(bytes.subarray(0, 4), bytes.subarray(4)) })
const unstopped = new AbortController().signal

it('puts the bytes into the media store, under the type that they show', async () => {
  const { fetch, media } = setUp(serving(png))
  const part = await fetch('test', { ...image, mime: 'image/jpeg' }, unstopped)
  if (part.type !== 'media') throw new Error(part.text)
  expect(part.media).toMatchObject({ mediaType: 'image/png', name: 'cat.png', bytes: png.byteLength })
  expect(Buffer.from(await media.get(part.media))).toEqual(png)
})

it('shows no model a page as an image', async () => {
  const { fetch } = setUp(serving(Buffer.from('<html>not found</html>')))
  expect(await fetch('test', image, unstopped)).toMatchObject({ type: 'media', media: { mediaType: 'application/octet-stream' } })
})

it.each([
  ['hands out no files', undefined, 'hands out no files'],
  ['says why', async () => Promise.reject(new HermesError('attachment.failed', 'x', { why: 'it is gone' })), 'it is gone'],
  ['throws a secret', () => Promise.reject(new Error('https://host/planted')), 'log'],
  ['throws nothing', () => Promise.reject(undefined as unknown as Error), 'log'],
  ['answers with nothing', async () => undefined as never, 'log'],
  ['sends without end', async () => ({ body: endless() }), 'larger than 32 MB'],
  ['breaks off', async () => ({ body: broken() }), 'log'],
])('makes a line where the platform %s', async (_what, open, reason) => {
  const { fetch, warnings } = setUp(open)
  const part = await fetch('test', image, unstopped)
  expect(part).toEqual({ type: 'text', text: expect.stringContaining('[image cat.png: could not be fetched') as string })
  expect(part).toMatchObject({ text: expect.stringContaining(reason) as string })
  expect(JSON.stringify(part)).not.toContain('planted')
  expect(warnings).toHaveLength(1)
})

it('waits for an adapter that is still on its way', async () => {
  const { fetch, connect, cutOff } = setUp(serving(png))
  cutOff()
  const fetching = fetch('test', image, unstopped)
  connect()
  expect(await fetching).toMatchObject({ type: 'media' })
})

it('waits a minute and no longer, whatever hangs', async () => {
  const hanging = setUp(() => new Promise(() => {}))
  const [slow] = await Promise.all([hanging.fetch('test', image, unstopped), hanging.clock.advance(await hanging.clock.slept())])
  expect(slow).toMatchObject({ type: 'text' })
  const away = setUp(serving(png))
  away.cutOff()
  const [missing] = await Promise.all([away.fetch('test', image, unstopped), away.clock.advance(60_000)])
  expect(missing).toMatchObject({ type: 'text' })
  expect(away.clock.sleeping).toEqual([])
})

it('ends with its signal, and gives its place to others', async () => {
  const { fetch, warnings } = setUp(
    (_attachment, signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('ended')))),
  )
  const stop = new AbortController()
  const hanging = Array.from({ length: 9 }, () => fetch('test', image, stop.signal))
  stop.abort()
  expect((await Promise.all(hanging)).every((part) => part.type === 'text')).toBe(true)
  expect(warnings).toEqual([])
})

async function* endless(): AsyncGenerator<Uint8Array> {
  const chunk = new Uint8Array(8 * 1024 * 1024)
  for (;;) yield chunk
}

async function* broken(): AsyncGenerator<Uint8Array> {
  yield png
  throw new Error('reset')
}
