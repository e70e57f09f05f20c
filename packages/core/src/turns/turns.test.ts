import {
  HermesError,
  type AssistantMessage,
  type InboundMessage,
  type Logger,
  type Message,
  type MessageId,
  type RoutedChat,
  type TurnId,
  type TurnOutcome,
  type TurnRef,
  type UserMessage,
} from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { randomIds } from '../kernel/index.js'
import { memoryStore, type NewOutboxRecord, type StateStore, type StoreCommandName, type StoreCommands } from '../store/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { createLocalDispatch } from './lane-dispatch.js'
import type { TurnStart } from './ports.js'
import { createTurns } from './turns.js'

const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} }
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
const chat: RoutedChat = { platform: 'test', kind: 'dm', chatId: 'c', adapter: 'test' }

/** A house with a real store, an agent that does what the test says, and no delivery behind the outbox. */
async function setUp(
  agent: (start: TurnStart) => Promise<TurnOutcome>,
  options: { store?: StateStore; wrap?: (store: StateStore) => StateStore; onCompose?: () => void } = {},
) {
  const memory = options.store ?? memoryStore()
  if (!options.store) await memory.open()
  const store = options.wrap?.(memory) ?? memory
  const clock = new FakeClock()
  const finished: string[] = []
  const compose = (to: RoutedChat, text: string): NewOutboxRecord[] => {
    options.onCompose?.()
    return [pieceOf(to, text)]
  }
  const pieceOf = (to: RoutedChat, text: string): NewOutboxRecord => ({
    key: randomIds.key(),
    chat: to,
    message: { text, format: 'markdown' },
    piece: { index: 0, count: 1 },
    dueAt: clock.now(),
    state: 'pending',
  })
  const turns = createTurns({
    store,
    clock,
    ids: randomIds,
    logger: silent,
    dispatch: createLocalDispatch(10),
    hooks: { tell: () => undefined },
    delivery: { compose, live: () => ({ follow: async () => {}, finish: (rows) => void finished.push(...rows.map((row) => row.message.text)) }) },
    engine: {
      prepare: async () => ({ hash: 'h', system: 'You are a test.', tools: [] }),
      start: (start) => ({ events: none(), result: run(agent, start), answer: () => false }),
    },
    files: { fetch: async (adapter, { name }) => ({ type: 'text', text: `[${name} of ${adapter}]` }) },
    waitingLimit: 100,
    whenOpen: Promise.resolve(),
    onStored: () => {},
    onTaken: () => {},
  })
  /** Stores a message and routes it to the lane of its conversation. */
  const post = async (text: string, key = 'k'): Promise<string> => {
    const id = randomIds.next('event')
    const event: InboundMessage = { kind: 'message', id, at: 0, chat, messageId: id, author: { id: 'u', isBot: false }, text, mentions: 'none' }
    const route = { key, conversation: `lane-${key}`, chat, limit: 100 }
    const [receipt] = await memory.execute('inbox.receive', { adapter: 'test', account: 'bot', events: [{ event, route }], at: clock.now() })
    if (receipt?.receipt !== 'stored' || !receipt.conversation) throw new Error('not queued')
    turns.wake(receipt.conversation)
    return receipt.conversation
  }
  return { turns, store: memory, clock, finished, post }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

async function* none(): AsyncGenerator<never> {}

/** As the engine does it: the end goes through the journal, and a life that lost its right to write ends quietly. */
async function run(agent: (start: TurnStart) => Promise<TurnOutcome>, start: TurnStart): Promise<{ outcome: TurnOutcome }> {
  await start.snapshot
  await start.journal.commit(start.opening.map((message) => ({ kind: 'message', message })))
  const outcome = await agent(start)
  if (outcome.status === 'parked') return { outcome }
  try {
    await start.journal.end(outcome, [{ kind: 'message', message: assistantMessage(start.turn, outcome.text) }])
    return { outcome }
  } catch (error) {
    if (!HermesError.is(error, 'turn.closed')) return { outcome: { ...outcome, status: 'failed' } }
    return { outcome: { ...outcome, status: 'interrupted', stop: { kind: 'lost', abandons: false } } }
  }
}

function answer(text: string): TurnOutcome {
  return { status: 'completed', text, steps: 1, usage }
}

function assistantMessage({ id: turn }: Pick<TurnRef, 'id'>, text: string): AssistantMessage {
  const id = randomIds.next('message') as MessageId
  return { role: 'assistant', id, turn, at: 0, model: { provider: 'p', model: 'm' }, finish: 'stop', parts: [{ type: 'text', text }] }
}

function lastText({ opening }: TurnStart): string {
  return textOf(opening.at(-1) as UserMessage)
}

function textOf({ parts }: Message): string {
  const part = parts[0]
  return part?.type === 'text' ? part.text : ''
}

/** Resolves when `condition` holds; work that is under way may go on in between. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

describe('the turns', () => {
  it('answer the messages of one conversation in order, one at a time', async () => {
    let running = 0
    let most = 0
    const { turns, finished, post } = await setUp(async (start) => {
      most = Math.max(most, ++running)
      await new Promise((resolve) => setImmediate(resolve))
      running--
      return answer(lastText(start))
    })
    await turns.start()
    const texts = Array.from({ length: 20 }, (_, index) => `message ${index}`)
    for (const text of texts) await post(text)
    await until(() => finished.length === 20)
    expect(finished).toEqual(texts)
    expect(most).toBe(1)
    await turns.close()
  })

  it('run beside each other in different conversations', async () => {
    let release = (): void => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const { turns, finished, post } = await setUp(async (start) => {
      if (lastText(start) === 'slow') await held
      return answer(lastText(start))
    })
    await turns.start()
    await post('slow', 'a')
    await post('quick', 'b')
    await until(() => finished.length === 1)
    expect(finished).toEqual(['quick'])
    release()
    await until(() => finished.length === 2)
    await turns.close()
  })

  it('go on with a turn that an earlier process left open, under the next epoch and the same id', async () => {
    const first = await setUp(async ({ turn }) => {
      await aborted(turn.signal)
      return { ...answer(''), status: 'parked' }
    })
    await first.turns.start()
    await first.post('hello')
    await until(() => first.turns.isBusy('lane-k'))
    await first.turns.close()

    const lives: { id: string; epoch: number; stored: number; opening: number }[] = []
    const second = await setUp(
      async (start) => {
        lives.push({ id: start.turn.id, epoch: start.turn.epoch, stored: start.transcript.messages.length, opening: start.opening.length })
        return answer('again')
      },
      { store: first.store },
    )
    await second.turns.start()
    await until(() => second.finished.length === 1)
    expect(lives).toEqual([{ id: expect.stringContaining('turn'), epoch: 2, stored: 1, opening: 0 }])
    await second.turns.close()
  })

  it('store a stop before the turn hears of it, and end it abandoned and silent', async () => {
    const { turns, store, finished, post } = await setUp(async ({ turn }) => {
      await aborted(turn.signal)
      return { ...answer(''), status: 'interrupted', stop: turn.signal.reason }
    })
    await turns.start()
    const lane = await post('hello')
    await until(() => turns.isBusy(lane))
    expect(await turns.stop(lane, 'stop')).toBe(true)
    await until(() => !turns.isBusy(lane))
    expect(finished).toEqual([])
    const found = await store.execute('session.get', { key: 'k' })
    expect(found?.lane.openTurn).toBeUndefined()
    expect(await turns.stop(lane, 'stop')).toBe(false)
    await turns.close()
  })

  it('keep the lane closed and try the end of a turn again until the store takes it', async () => {
    let refusals = 3
    const wrap = (store: StateStore): StateStore => ({
      engine: store.engine,
      open: () => store.open(),
      close: () => store.close(),
      health: () => store.health(),
      execute(name, args, options) {
        if (name !== 'turn.end' || refusals === 0) return store.execute(name, args, options)
        refusals--
        return Promise.reject(new HermesError('store.full', 'No space.', { path: 'x', reason: 'full' }))
      },
    })
    const started: string[] = []
    const { turns, clock, finished, post } = await setUp(
      async (start) => {
        started.push(lastText(start))
        return answer(lastText(start))
      },
      { wrap },
    )
    await turns.start()
    await post('one')
    await post('two')
    for (const waitMs of [100, 200, 400]) {
      expect(await clock.slept()).toBe(waitMs)
      expect(started).toEqual(['one'])
      expect(finished).toEqual([])
      await clock.advance(waitMs)
    }
    await until(() => finished.length === 2)
    expect(finished).toEqual(['one', 'two'])
    await turns.close()
  })

  it('tell why there is no answer, never the error', async () => {
    const failure = { reason: 'rate-limit', message: 'key sk-123 exceeded' } as const
    const { turns, finished, post } = await setUp(async (start) =>
      lastText(start) === 'empty' ? answer('  ') : { ...answer(''), status: 'failed', failure },
    )
    await turns.start()
    await post('hello')
    await post('empty')
    await until(() => finished.length === 2)
    expect(finished[0]).toContain('too often')
    expect(finished.join()).not.toContain('sk-123')
    expect(finished[1]).toContain('no answer')
    await turns.close()
  })

  it('pause, longer each time, when the end of a turn cannot be written, and lose nothing', async () => {
    let failures = 2
    const onCompose = (): void => {
      if (failures-- > 0) throw new Error('cannot compose')
    }
    const { turns, clock, finished, post } = await setUp(async () => answer('at last'), { onCompose })
    await turns.start()
    await post('hello')
    for (const pauseMs of [1000, 2000]) {
      expect(await clock.slept()).toBe(pauseMs)
      expect(finished).toEqual([])
      await clock.advance(pauseMs)
    }
    await until(() => finished.length === 1)
    expect(finished).toEqual(['at last'])
    await turns.close()
  })

  it('park a turn that is claimed while they close', async () => {
    let close = (): void => {}
    const { turns, post } = await setUp(
      async ({ turn }) => {
        await aborted(turn.signal)
        return { ...answer(''), status: 'parked' }
      },
      { wrap: (store) => observing(store, 'turn.claim', () => close()) },
    )
    await turns.start()
    const closed = new Promise<void>((resolve) => (close = () => void turns.close().then(resolve)))
    await post('hello')
    await closed
    expect(turns.running).toBe(0)
  })

  it('leave the next turn alone when a stop found that the one it meant had ended', async () => {
    let stopped: Promise<boolean> | undefined
    let meddle = (): void => {}
    const { turns, finished, post } = await setUp(async (start) => answer(start.turn.signal.aborted ? 'stopped' : lastText(start)), {
      wrap: (store) => observing(store, 'turn.end', () => meddle()),
    })
    meddle = () => void (stopped ??= turns.stop('lane-k', 'stop'))
    await turns.start()
    await Promise.all([post('one'), post('two')])
    await until(() => finished.length === 2)
    expect(await stopped).toBe(false)
    expect(finished).toEqual(['one', 'two'])
    await turns.close()
  })

  it('go on from the transcript that the last turn left in this process, and it is what the store holds', async () => {
    const claims: unknown[] = []
    const { turns, store, starts, finished, post } = await setUpTalk({
      wrap: (inner) => observing(inner, 'turn.claim', (claim) => claims.push(claim)),
    })
    await turns.start()
    for (const text of ['one', 'two', 'three']) {
      await post(text)
      await until(() => finished.at(-1) === text)
    }
    await turns.close()
    await post('four')
    const stored = await store.execute('turn.claim', { lane: 'lane-k', turn: 'reader', at: 0 })
    expect(claims).toMatchObject([{ transcript: { messages: [] } }, { transcript: 'known' }, { transcript: 'known' }])
    expect(starts.map(({ transcript }) => transcript.messages.length)).toEqual([0, 2, 4])
    expect(stored?.transcript).toMatchObject({ states: { test: { said: 'three' } }, snapshot: { hash: 'h' } })
    expect(stored?.transcript !== 'known' && stored?.transcript.messages.slice(0, 4)).toEqual(starts[2]?.transcript.messages)
    expect(starts[2]?.transcript).toMatchObject({ states: { test: { said: 'two' } }, snapshot: { hash: 'h' }, intents: [] })
  })

  it('read what another process wrote to the lane meanwhile', async () => {
    const one = await setUpTalk()
    const other = await setUpTalk({ store: one.store })
    await Promise.all([one.turns.start(), other.turns.start()])
    for (const { house, text } of [
      { house: one, text: 'one' },
      { house: other, text: 'two' },
      { house: one, text: 'three' },
    ]) {
      await house.post(text)
      await until(() => house.finished.at(-1) === text)
    }
    expect(one.starts.at(-1)?.transcript.messages.map(textOf)).toEqual(['one', 'one', 'two', 'two'])
    await Promise.all([one.turns.close(), other.turns.close()])
  })

  it('read what was stored, whatever an agent does to its messages', async () => {
    const said = assistantMessage({ id: 'turn' as TurnId }, 'as stored')
    const beforeEnd = async ({ transcript, journal }: TurnStart): Promise<void> => {
      if (transcript.messages.length === 0) await journal.commit([{ kind: 'message', message: said }])
    }
    expect.assertions(4)
    const { turns, store, starts, finished, post } = await setUpTalk({ beforeEnd })
    await turns.start()
    await post('one')
    await until(() => finished.length === 1)
    Object.assign(said.parts[0] ?? {}, { text: 'changed' })
    await post('two')
    await until(() => finished.length === 2)
    await turns.close()
    const next = await setUpTalk({ store })
    await next.turns.start()
    await next.post('three')
    await until(() => next.finished.length === 1)
    for (const { transcript } of [starts[1], next.starts[0]].filter((start) => start !== undefined)) {
      const message = transcript.messages[1]
      expect(message && textOf(message)).toBe('as stored')
      expect(() => Object.assign(message?.parts[0] ?? {}, { text: 'changed' })).toThrow(TypeError)
    }
    await next.turns.close()
  })

  it('read nothing of an answer that a stop left out', async () => {
    let meddle = async (): Promise<void> => {}
    const { turns, store, starts, finished, post } = await setUpTalk({ beforeEnd: () => meddle() })
    await turns.start()
    // Another process tells the lane to stop: this one does not hear of it.
    meddle = async () => void (await store.execute('turn.stop', { lane: 'lane-k', reason: { kind: 'stop', abandons: true }, at: 0 }))
    await post('one')
    await until(() => starts.length === 1 && turns.running === 0)
    meddle = async () => {}
    await post('two')
    await until(() => finished.at(-1) === 'two')
    expect(starts[1]?.transcript.messages.map(textOf)).toEqual(['one'])
    await turns.close()
  })

  it('store a new prompt with the first facts of the turn, once', async () => {
    const writes: StoreCommands['turn.commit']['args'][] = []
    const { turns, finished, post } = await setUpTalk({ wrap: (inner) => observing(inner, 'turn.commit', (_result, args) => writes.push(args)) })
    await turns.start()
    for (const text of ['one', 'two']) {
      await post(text)
      await until(() => finished.at(-1) === text)
    }
    expect(writes.map(({ facts }) => facts.map(({ kind }) => kind))).toEqual([['snapshot', 'message'], ['state'], ['message'], ['state']])
    await turns.close()
  })
})

/** A house whose agent keeps what it was told as its state, does what the test says, and says the same again. */
async function setUpTalk({ beforeEnd, ...options }: { beforeEnd?: (start: TurnStart) => Promise<void> } & Parameters<typeof setUp>[1] = {}) {
  const starts: TurnStart[] = []
  const house = await setUp(async (start) => {
    starts.push(start)
    const text = lastText(start)
    await start.journal.commit([{ kind: 'state', runtime: 'test', state: { said: text } }])
    await beforeEnd?.(start)
    return answer(text)
  }, options)
  return { ...house, starts }
}

/** The same store; `onExecuted` hears of every command of that name when it has taken effect, before its caller does. */
function observing<N extends StoreCommandName>(
  store: StateStore,
  name: N,
  onExecuted: (result: StoreCommands[N]['result'], args: StoreCommands[N]['args']) => void,
): StateStore {
  return {
    engine: store.engine,
    open: () => store.open(),
    close: () => store.close(),
    health: () => store.health(),
    async execute(command, args, options) {
      const result = await store.execute(command, args, options)
      if ((command as string) === name) onExecuted(result as never, args as never)
      return result
    },
  }
}
