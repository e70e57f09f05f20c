import type { Adapter, AdapterContext, CommandSpec } from '@hermes/plugin-sdk'
import { adapterConformance, type AdapterConformance, type AdapterUnderTest } from '@hermes/plugin-sdk/conformance'
import { describe, expect, it } from 'vitest'
import { playCase } from '../conformance/play-case.js'
import { startTelegram } from './telegram-double.js'

type Defect = (adapter: Adapter) => Partial<Adapter>

/** A member as its owner calls it: private fields know no proxy. */
function bound(target: object, name: string | symbol): unknown {
  const member: unknown = Reflect.get(target, name)
  return typeof member === 'function' ? (member.bind(target) as unknown) : member
}

async function* firstOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) return yield chunk.subarray(0, 100)
}

/** One adapter with a defect. */
function spoiled(adapter: Adapter, defect: Defect): Adapter {
  const change = defect(adapter)
  return new Proxy(adapter, { get: (target, name) => (name in change ? Reflect.get(change, name) : bound(target, name)) })
}

const facing =
  (contextOf: (context: AdapterContext) => Partial<AdapterContext>): Defect =>
  (adapter) => ({ connect: (context) => adapter.connect({ ...context, ...contextOf(context) }) })

async function changed(change: (parts: AdapterUnderTest) => Partial<AdapterUnderTest>): Promise<AdapterUnderTest> {
  const parts = await startTelegram()
  return { ...parts, ...change(parts) }
}

const withDefect = (defect: Defect) => (): Promise<AdapterUnderTest> => changed(({ create }) => ({ create: () => spoiled(create(), defect) }))

const run = (wanted: string, setup: AdapterConformance): Promise<string> => playCase(wanted, (test) => adapterConformance(test, setup))

describe('the suite finds an adapter that', () => {
  it.each<[what: string, broken: string, defect: Defect]>([
    [
      'says something else of a chat each time',
      'shape: capabilities are a look-up that knows every chat and always says the same',
      (adapter) => {
        let limit = 1
        return { capabilities: (chat) => ({ text: { ...adapter.capabilities(chat).text, limit: limit++ } }) }
      },
    ],
    ['shows its token', 'shape: its platform is that of its chats, and its account is not a secret', () => ({ account: '7000001:planted-token' })],
    [
      'keeps its native object from plugins',
      'connect: plugins get the native object once a connection, before anything is received',
      facing(() => ({ wireNative: () => Promise.resolve() })),
    ],
    [
      'calls every failure of a connect retryable',
      'connect: a wrong token is a failure of the credentials, and trying again is no use',
      (adapter) => ({
        connect: (context) =>
          adapter.connect(context).catch(() => {
            throw new Error('no connection')
          }),
      }),
    ],
    [
      'writes its token into the log',
      'connect: no secret stands in an error or a log',
      (adapter) => ({
        connect(context) {
          context.logger.debug({ url: 'https://platform.test/bot7000001:planted-token' }, 'Connecting')
          return adapter.connect(context)
        },
      }),
    ],
    [
      'never lets go of its connections',
      'connect: after its end nothing is received, and nothing is sent',
      () => ({ disconnect: () => Promise.resolve() }),
    ],
    [
      'loses a message',
      'receive: a hundred messages arrive in their order, each with an id of its own',
      facing(({ receive }) => ({
        receive: (event) => ('text' in event && event.text === 'message 50' ? Promise.resolve('stored') : receive(event)),
      })),
    ],
    [
      'gives every event a random id',
      'acknowledge: what was rejected comes again with the same id and in order, and is acknowledged then',
      facing(({ receive }) => ({ receive: (event) => receive({ ...event, id: crypto.randomUUID() }) })),
    ],
    [
      'acknowledges what was not received',
      'acknowledge: nothing is acknowledged before it is received',
      facing(({ receive }) => ({
        receive(event) {
          void receive(event)
          return Promise.resolve('stored')
        },
      })),
    ],
    [
      'goes on before what it has is received',
      'acknowledge: while the first message is not received, few others are asked for, and all arrive later',
      facing(({ receive }) => ({
        receive(event) {
          void receive(event)
          return Promise.resolve('stored')
        },
      })),
    ],
    [
      'drops what was said between two connections',
      'reconnect: what is said between two connections arrives',
      facing(() => ({ isReconnect: false })),
    ],
    ['keeps what was said before its first boot', 'reconnect: only a first boot drops what was said before', facing(() => ({ isReconnect: true }))],
    [
      'takes a clock for a sign of life',
      'reconnect: a platform that says nothing more gets no sign of life',
      (adapter) => {
        let ticking: NodeJS.Timeout | undefined
        return {
          connect(context) {
            ticking = setInterval(() => context.alive(), 10)
            return adapter.connect(context)
          },
          disconnect(hurry) {
            clearInterval(ticking)
            return adapter.disconnect(hurry)
          },
        }
      },
    ],
    [
      'tries again by itself what may have left',
      'send: drop-after ends as unknown, and is not sent again',
      (adapter) => ({
        async send(chat, message, call) {
          const outcome = await adapter.send(chat, message, call)
          return outcome.status === 'unknown' ? adapter.send(chat, message, call) : outcome
        },
      }),
    ],
    [
      'names other messages than it sent',
      'send: what people see is the text, and the outcome names it',
      (adapter) => ({
        async send(chat, message, call) {
          const outcome = await adapter.send(chat, message, call)
          return outcome.status === 'sent' ? { status: 'sent', ids: ['0'] } : outcome
        },
      }),
    ],
    [
      'sends a stream that is finished again as a message of its own',
      'a stream: that is finished twice is shown once',
      (adapter) => ({
        stream: (chat) => ({
          update: () => Promise.resolve({ status: 'sent', ids: [] }),
          finish: (message, call) => adapter.send(chat, message, call),
          abandon: () => Promise.resolve(),
        }),
      }),
    ],
    [
      'gives up in the middle of a file',
      'attachment: a file is fetched whole, also by a later connection that knows it as plain data only',
      (adapter) => ({
        async openAttachment(attachment, signal) {
          const { body } = (await adapter.openAttachment?.(attachment, signal)) ?? {}
          return { body: firstOf(body ?? []) }
        },
      }),
    ],
    [
      'forgets which pictures are one album',
      'attachment: the parts of an album arrive by themselves, with the key that joins them',
      facing(({ receive }) => ({ receive: (event) => receive(event.kind === 'message' ? { ...event, join: undefined } : event) })),
    ],
    [
      'leaves old commands in the menu',
      'menu: shows the newest commands, and no others',
      (adapter) => {
        const known = new Map<string, CommandSpec>()
        return {
          async publishCommands(commands, signal) {
            for (const command of commands) known.set(command.name, command)
            await adapter.publishCommands?.([...known.values()], signal)
          },
        }
      },
    ],
  ])('%s', async (_what, broken, defect) => {
    expect(await run(broken, { start: withDefect(defect) })).toContain('AssertionError')
  })
})

describe('what a platform cannot do', () => {
  const promise = 'acknowledge: nothing is acknowledged before it is received'

  it('fails until its author skips it', async () => {
    const start = (): Promise<AdapterUnderTest> =>
      changed(({ double }) => ({
        double: new Proxy(double, { get: (target, name) => (name === 'isAcknowledged' ? undefined : bound(target, name)) }),
      }))
    expect(await run(promise, { start })).toContain('The double has no `isAcknowledged`')
    await expect(run(promise, { start, skip: { acknowledge: 'it knows no acknowledgement' } })).rejects.toThrow('has no case')
  })

  it('is not skipped by a name that the suite does not know', () => {
    const skip = { 'acknowledge: nothing': 'a slip' }
    expect(() => adapterConformance({ describe: () => {}, it: Object.assign(() => {}, { skip() {} }) }, { start: startTelegram, skip })).toThrow(
      'acknowledge: nothing',
    )
  })
})
