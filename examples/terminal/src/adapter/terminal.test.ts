import { PassThrough } from 'node:stream'
import { FakeClock } from '@hermes/core/testing'
import { HermesError, type Adapter, type AdapterContext, type Call, type HostApi, type InboundMessage, type Receipt } from '@hermes/plugin-sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { localChat, terminal } from './index.js'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** The adapter as a host gets it, connected to two pipes. */
async function connect(receive: (event: InboundMessage) => Promise<Receipt> = async () => 'stored') {
  const input = new PassThrough()
  const output = new PassThrough()
  const clock = new FakeClock()
  const ending = new AbortController()
  let ended = 0
  const created: Adapter[] = []
  const host = { registerPlatform: (platform: { create(): Adapter }) => created.push(platform.create()) } as unknown as HostApi
  await terminal({ input, output, allowFrom: ['local'], onEnd: () => ended++ }).register(host)
  const [adapter] = created
  if (!adapter) throw new Error('nothing was registered')
  const failures: string[] = []
  const context = {
    clock,
    signal: ending.signal,
    receive,
    wireNative: async () => {},
    fail: (failure: { message: string }) => failures.push(failure.message),
  } as unknown as AdapterContext
  await adapter.connect(context)
  const close = async (): Promise<void> => {
    ending.abort(new HermesError('stopped', 'over', { what: 'test' }))
    await adapter.disconnect(new AbortController().signal)
  }
  closers.push(close)
  return { adapter, input, output, clock, failures, close, ended: () => ended, shown: () => String(output.read() ?? '') }
}

const call = (signal = new AbortController().signal): Call => ({ key: 'k', signal })
const say = (words: string) => ({ text: words, format: 'markdown' as const })
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('what is typed', () => {
  it('becomes a message a line, in order, without empty lines', async () => {
    const events: InboundMessage[] = []
    const { input } = await connect(async (event) => (events.push(event), 'stored'))
    input.write('hello\n\n  \nsecond line\n')
    while (events.length < 2) await turn()
    expect(events.map((event) => event.text)).toEqual(['hello', 'second line'])
    expect(events[0]).toMatchObject({ kind: 'message', chat: localChat, author: { id: 'local', isBot: false }, mentions: 'us' })
    expect(events[0]?.id).not.toBe(events[1]?.id)
  })

  it('is handed in again until it is stored', async () => {
    const tries: string[] = []
    const { input, clock } = await connect(async (event) => {
      tries.push(event.text)
      if (tries.length === 1) throw new HermesError('inbox.unavailable', 'no room', { retryAfterMs: 1000 })
      return 'stored'
    })
    input.write('keep me\nnext\n')
    await clock.slept()
    await clock.advance(1000)
    while (tries.length < 3) await turn()
    expect(tries).toEqual(['keep me', 'keep me', 'next'])
  })

  it('ends the adapter when it cannot be read any more', async () => {
    const { input, failures } = await connect()
    input.destroy(new Error('EIO'))
    while (failures.length === 0) await turn()
    expect(failures).toEqual(['The terminal is gone: EIO'])
  })

  it('says once that the person ended it, and not when the adapter was disconnected', async () => {
    const byPerson = await connect()
    byPerson.input.end()
    while (byPerson.ended() === 0) await turn()
    const byUs = await connect()
    await byUs.close()
    await byUs.close()
    await turn()
    expect([byPerson.ended(), byUs.ended()]).toEqual([1, 0])
  })
})

describe('what is said', () => {
  it('stands on a line with its speaker', async () => {
    const { adapter, shown } = await connect()
    expect(await adapter.send(localChat, say('**hi**\nthere'), call())).toEqual({ status: 'sent', ids: [] })
    expect(shown()).toBe('hermes › **hi**\nthere\n')
  })

  it('grows by what is new, and is finished once', async () => {
    const { adapter, shown } = await connect()
    const stream = adapter.stream?.(localChat, {})
    await stream?.update({ text: 'one' }, call())
    await stream?.update({ text: 'one two' }, call())
    await stream?.update({ text: 'one two' }, call())
    expect(shown()).toBe('hermes › one two')
    expect(await stream?.finish(say('one two three'), call())).toEqual({ status: 'sent', ids: [] })
    expect(await stream?.finish(say('one two three'), call())).toEqual({ status: 'sent', ids: [] })
    expect(shown()).toBe(' three\n')
  })

  it('stays as it is when a growing message is abandoned', async () => {
    const { adapter, shown } = await connect()
    const stream = adapter.stream?.(localChat, {})
    await stream?.abandon()
    await stream?.update({ text: 'half' }, call())
    await stream?.abandon()
    await stream?.abandon()
    expect(shown()).toBe('hermes › half\n')
  })

  it('does not mix with a message that grows at the same time', async () => {
    const { adapter, shown } = await connect()
    const stream = adapter.stream?.(localChat, {})
    await stream?.update({ text: 'one' }, call())
    await adapter.send(localChat, say('notice'), call())
    await stream?.finish(say('one two'), call())
    expect(shown()).toBe('hermes › one\nhermes › notice\nhermes ›  two\n')
  })

  it('cannot steer the terminal', async () => {
    const { adapter, shown } = await connect()
    await adapter.send(localChat, say('a\u001b[2Jb\u0007\r\tc'), call())
    expect(shown()).toBe('hermes › a[2Jb\tc\n')
  })

  it('is certainly not shown when the call was over before it began', async () => {
    const { adapter, shown } = await connect()
    expect(await adapter.send(localChat, say('late'), call(AbortSignal.abort()))).toMatchObject({ status: 'rejected' })
    expect(shown()).toBe('')
  })

  it('is unknown when the terminal breaks, which ends the adapter', async () => {
    const { adapter, output, failures } = await connect()
    output.destroy(new Error('EPIPE'))
    expect(await adapter.send(localChat, say('lost'), call())).toMatchObject({ status: 'unknown' })
    expect(failures).toEqual(['The terminal is gone: EPIPE'])
  })
})
