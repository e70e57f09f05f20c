import type { Adapter, AdapterContext, InboundEvent, Receipt } from '@hermes/plugin-sdk'
import { adapterConformance } from '@hermes/plugin-sdk/conformance'
import type { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { PaperDesk } from './paper-adapter.js'
import { startPaper } from './paper-double.js'
import { playCase } from './play-case.js'

const onTelegram = 'Telegram shows it, on its real wire'

describe('the suite of adapters is kept by one that has everything:', () => {
  adapterConformance(
    { describe, it },
    {
      start: startPaper,
      skip: {
        ...Object.fromEntries(['acknowledge', 'reconnect', 'a stream', 'attachment', 'menu'].map((group) => [group, onTelegram])),
        ...Object.fromEntries(
          [
            'connect: plugins get the native object once a connection, before anything is received',
            'connect: a wrong token is a failure of the credentials, and trying again is no use',
            'connect: a platform that nobody reaches is a failure that may be tried again',
            'connect: no secret stands in an error or a log',
            'connect: a connect that is told to end does, in the middle',
            'connect: disconnect is fine before, in the middle of and after a connect, and twice',
            'receive: what nobody can read takes away nothing that comes behind it',
            'send: a text as long as the limit is shown whole, and one more is too long',
            'send: a platform that asks to wait is rate-limited, with its date',
            'send: refuse-connection ends as rejected, unavailable, and shows nothing',
            'send: bad-token ends as rejected, credentials, and shows nothing',
            'send: a send that hangs and is stopped ends as unknown',
            ...['too-long', 'bad-format', 'message-gone', 'thread-gone', 'chat-gone', 'forbidden'].map(
              (kind) => `send: ${kind} ends as rejected, ${kind}, and shows nothing`,
            ),
            ...['drop-after', 'error-after', 'garbage'].map((kind) => `send: ${kind} ends as unknown, and is not sent again`),
          ].map((name) => [name, onTelegram]),
        ),
      },
    },
  )
})

type Defect = (adapter: Adapter, desk: PaperDesk) => Partial<Adapter>

/** An adapter with other members; what it has is called on itself, for private fields know no proxy. */
function spoiled(adapter: Adapter, change: Partial<Adapter>): Adapter {
  return new Proxy(adapter, {
    get(target, name) {
      if (name in change) return Reflect.get(change, name) as unknown
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? (member.bind(target) as unknown) : member
    },
  })
}

/** What the adapter tells the core, changed on its way; `undefined`: it is not told. */
const telling =
  (change: (event: InboundEvent) => InboundEvent | undefined): Defect =>
  (adapter) => ({
    connect: (context) =>
      adapter.connect({
        ...context,
        receive: (event) => {
          const told = change(event)
          return told ? context.receive(told) : Promise.resolve('ignored')
        },
      }),
  })

const facing =
  (contextOf: (context: AdapterContext) => Partial<AdapterContext>): Defect =>
  (adapter) => ({ connect: (context) => adapter.connect({ ...context, ...contextOf(context) }) })

const refusal = (): Promise<Response> => Promise.resolve(new Response(null, { status: 401 }))

function answering(answer: (request: Request, take: (request: Request) => Promise<Response>) => Promise<Response>): Defect {
  return (adapter) => ({ handleRequest: (request) => answer(request, (given) => adapter.handleRequest?.(given) ?? refusal()) })
}

/** Reads what a request says, whoever signed it. */
function believing(alsoIf: (request: Request) => boolean): Defect {
  return (adapter) => {
    let context: AdapterContext | undefined
    return {
      connect(given) {
        context = given
        return adapter.connect(given)
      },
      async handleRequest(request) {
        if (!alsoIf(request)) return adapter.handleRequest?.(request) ?? refusal()
        const { text, number } = (await request.json()) as { text: string; number: number }
        const chat = { platform: 'paper', kind: 'dm', chatId: 'dm' } as const
        const author = { id: 'somebody', isBot: false }
        await context?.receive({ kind: 'message', id: `update:${number}`, at: 0, chat, messageId: '1', author, text, mentions: 'us' })
        return new Response(null, { status: 200 })
      },
    }
  }
}

const isSigned = (request: Request): boolean => request.headers.has('x-paper-signature')

// Beside each other, for most of them wait until the suite loses its patience.
describe.concurrent('the suite finds an adapter that', () => {
  it.each<[what: string, broken: string, said: string, defect: Defect]>([
    [
      'waits for the handlers of plugins',
      'connect: a handler that hangs on the native object takes no message away',
      'messages arrive behind the handler',
      (adapter) => ({
        connect(context) {
          let handlers: readonly Function[] = []
          const wireNative = async (native: unknown): Promise<void> => {
            await context.wireNative(native as never)
            handlers = (native as EventEmitter).listeners('update')
          }
          const receive = async (event: InboundEvent): Promise<Receipt> => {
            for (const handle of handlers) await handle(event)
            return context.receive(event)
          }
          return adapter.connect({ ...context, wireNative, receive })
        },
      }),
    ],
    [
      'lets the handlers of plugins break what it does itself',
      'connect: a handler that throws on the native object takes no message away',
      'messages arrive behind the handler',
      (adapter) => ({
        connect(context) {
          let emitter: EventEmitter | undefined
          const wireNative = async (native: unknown): Promise<void> => {
            await context.wireNative(native as never)
            emitter = native as EventEmitter
          }
          const receive = async (event: InboundEvent): Promise<Receipt> => {
            emitter?.emit('update', event)
            return context.receive(event)
          }
          return adapter.connect({ ...context, wireNative, receive })
        },
      }),
    ],
    [
      'cuts long texts',
      'receive: a text of a megabyte arrives whole, and an empty one takes nothing away',
      'characters arrived',
      telling((event) => (event.kind === 'message' ? { ...event, text: event.text.slice(0, 4_096) } : event)),
    ],
    [
      'breaks on an empty text',
      'receive: a text of a megabyte arrives whole, and an empty one takes nothing away',
      'what is said behind them arrives',
      (() => {
        let isBroken = false
        return telling((event) => {
          if (event.kind === 'message' && event.text === '') isBroken = true
          return isBroken ? undefined : event
        })
      })(),
    ],
    [
      'takes nobody for somebody',
      'receive: what nobody said is of nobody who says other things, and takes nothing away',
      'the authors are somebody, somebody',
      (adapter, desk) => ({
        async connect(context) {
          await adapter.connect(context)
          desk.subscribe(({ who, text, at }) => {
            if (who !== null) return
            const frame = { id: 'x', at, chat: { platform: 'paper', kind: 'group', chatId: 'group' } } as const
            void context.receive({ kind: 'message', ...frame, messageId: 'x', author: { id: 'somebody', isBot: false }, text, mentions: 'none' })
          })
        },
      }),
    ],
    [
      'has one id for all people',
      'receive: people are told apart by their ids, which stay',
      'strictly unequal',
      telling((event) => (event.kind === 'message' ? { ...event, author: { ...event.author, id: 'person' } } : event)),
    ],
    [
      'leaves its mention in the text',
      'receive: a mention of the bot speaks to it, and is no part of the text',
      '@us good morning',
      telling((event) => (event.kind === 'message' && event.mentions === 'us' ? { ...event, text: `@us ${event.text}` } : event)),
    ],
    [
      'names the delivery, and not what happened',
      'receive: what is delivered twice has the same id, also by another connection',
      'strictly equal',
      (() => {
        let deliveries = 0
        return telling((event) => ({ ...event, id: String(deliveries++) }))
      })(),
    ],
    [
      'waits for receipts before it ends',
      'receive: a receipt that never comes holds up no send, and no end',
      'disconnect resolves',
      (adapter) => {
        const receipts: Promise<unknown>[] = []
        const { connect } = facing((context) => ({
          receive(event) {
            const receipt = context.receive(event)
            receipts.push(receipt)
            return receipt
          },
        }))(adapter, undefined as never)
        return {
          ...(connect && { connect }),
          async disconnect(hurry) {
            await Promise.allSettled(receipts)
            await adapter.disconnect(hurry)
          },
        }
      },
    ],
    [
      'tells a part of an edit',
      'act: a message that is changed is an edit of it, with the new text, whole',
      'deep-equal',
      telling((event) => (event.kind === 'edit' ? { ...event, text: event.text.slice(1) } : event)),
    ],
    [
      'tells of no deletions',
      'act: a message that is taken away is a deletion of it',
      'the deletion arrives',
      telling((event) => (event.kind === 'delete' ? undefined : event)),
    ],
    [
      'takes every reaction for a new one',
      'act: a reaction says to which message and what, and whether it is taken back',
      'deep-equal',
      telling((event) => (event.kind === 'reaction' ? { ...event, isRemoved: false } : event)),
    ],
    [
      'takes every button for one of a prompt',
      'act: a button of a prompt is a choice of it, and a button of something else is none',
      'choice, choice arrived',
      (adapter, desk) => ({
        async connect(context) {
          await adapter.connect(context)
          desk.subscribe(({ kind, text, at }) => {
            if (kind !== 'press' || text !== 'of a plugin') return
            const frame = { id: 'x', at, chat: { platform: 'paper', kind: 'dm', chatId: 'dm' }, author: { id: 'somebody', isBot: false } } as const
            void context.receive({ kind: 'choice', ...frame, promptId: text, optionId: '' })
          })
        },
      }),
    ],
    [
      'leaves the slash at the name of a command',
      'act: a command of the platform says its name and its words',
      '/remember',
      telling((event) => (event.kind === 'command' ? { ...event, name: `/${event.name}` } : event)),
    ],
    [
      'calls everybody whom a text names',
      'send: a text that names everybody calls nobody',
      'everyone',
      (_adapter, desk) => ({ send: async ({ chatId }, { text }) => ({ status: 'sent', ids: [desk.show(chatId, text, true)] }) }),
    ],
    [
      'lets links show previews',
      'send: a link shows no preview',
      'https://example.com/page',
      (_adapter, desk) => ({ send: async ({ chatId }, { text }) => ({ status: 'sent', ids: [desk.show(chatId, text, true)] }) }),
    ],
    [
      'answers before it has received',
      'request: a request that is well signed is answered when it is received',
      'answered before it was received',
      answering(async (request, take) => {
        void take(request)
        return new Response(null, { status: 200 })
      }),
    ],
    [
      'refuses what it knows already',
      'request: what is known or unwanted is answered as received',
      'what is duplicate was refused',
      facing(({ receive }) => ({
        async receive(event) {
          const receipt = await receive(event)
          if (receipt !== 'stored') throw new Error(receipt)
          return receipt
        },
      })),
    ],
    [
      'acknowledges what was not stored',
      'request: what could not be stored is refused, and has the same id when it comes again',
      'it was answered with 200',
      answering(async (request, take) => {
        await take(request)
        return new Response(null, { status: 200 })
      }),
    ],
    [
      'gives every request a new id',
      'request: a request that comes once more is refused, or brings the same id',
      'strictly equal',
      (() => {
        let deliveries = 0
        return telling((event) => ({ ...event, id: String(deliveries++) }))
      })(),
    ],
    [
      'believes everybody',
      'request: a request that is unsigned is refused, and brings nothing',
      'it was answered with 200',
      believing((request) => !isSigned(request)),
    ],
    ['takes any signature', 'request: a request that is forged is refused, and brings nothing', 'it was answered with 200', believing(isSigned)],
    ['signs no body', 'request: a request that is altered is refused, and brings nothing', 'it was answered with 200', believing(isSigned)],
    ['takes old requests', 'request: a request that is stale is refused, and brings nothing', 'it was answered with 200', believing(isSigned)],
    ['takes requests of later', 'request: a request that is future is refused, and brings nothing', 'it was answered with 200', believing(isSigned)],
    [
      'breaks on what it cannot read',
      'request: a request that nobody can read is answered, and brings nothing',
      'SyntaxError',
      answering(async (request, take) => {
        JSON.parse(await request.clone().text())
        return take(request)
      }),
    ],
    [
      'reads every body to its end',
      'request: a body without an end is refused',
      'nobody reads that much',
      answering(async (request, take) => {
        await request.clone().text()
        return take(request)
      }),
    ],
    [
      'acknowledges when nobody is there to take it',
      'request: outside of a connection nothing is taken, and the platform is to try again',
      'it was answered with 200',
      answering(async (request, take) => {
        const { status } = await take(request)
        return new Response(null, { status: status === 503 ? 200 : status })
      }),
    ],
    [
      'says in a refusal what it would have taken',
      'request: no secret stands in what a refusal says',
      'a secret was said',
      answering(async () => new Response('the secret is planted-secret', { status: 401 })),
    ],
  ])('%s', async (_what, broken, said, defect) => {
    const start = () => startPaper((adapter, desk) => spoiled(adapter, defect(adapter, desk)))
    expect(await playCase(broken, (test) => adapterConformance(test, { start }))).toContain(said)
  })
})
