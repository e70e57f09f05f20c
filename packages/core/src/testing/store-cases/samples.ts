import assert from 'node:assert/strict'
import type { InboundEvent, InboundMessage, Message, RoutedChat, StopReason, TurnOutcome } from '@hermes/plugin-sdk'
import type {
  LaneRoute,
  NewInboxRecord,
  NewOutboxRecord,
  OutboxRecord,
  StateStore,
  StoredOutcome,
  Transcript,
  TurnClaim,
  TurnEnding,
  TurnFact,
} from '../../store/index.js'

/** Where all cases happen. */
export const chat: RoutedChat = { platform: 'test', adapter: 'test', kind: 'dm', chatId: 'c' }
/** An outcome that says that it was sent. */
export const sent: StoredOutcome = { status: 'sent', ids: [] }
/** A person told the turn to stop. */
export const stop: StopReason = { kind: 'stop', abandons: true }

/** A message of a person. */
export function event(id: string, text = id): InboundMessage {
  return { kind: 'message', id, at: 1, chat, messageId: id, author: { id: 'u', isBot: false }, text, mentions: 'us' }
}

/** A piece for the outbox, due at once. */
export function piece(key: string, more: Partial<NewOutboxRecord> = {}): NewOutboxRecord {
  return { key, chat, message: { text: key, format: 'plain' }, piece: { index: 0, count: 1 }, state: 'pending', dueAt: 0, ...more }
}

/** A message of a turn, as a fact. */
export function message(role: Exclude<Message['role'], 'summary'>, id: string, text = id): TurnFact {
  const stamp = { id, turn: 't1', at: 1 }
  const parts = [{ type: 'text', text }]
  const more = {
    user: { origin: 'person' },
    assistant: { model: { provider: 'p', model: 'm' }, finish: 'stop' },
    tool: { callId: id, name: 'n', status: 'ok' },
  }
  return { kind: 'message', message: { ...stamp, role, parts, ...more[role] } as unknown as Message }
}

/** An answer that a host made for calls which had begun, as a fact. */
export function closing(id: string): TurnFact {
  return { ...message('assistant', id), closes: true } as TurnFact
}

/** A call that is about to start, as a fact. */
export function intent(callId: string): TurnFact {
  return { kind: 'intent', callId, name: 'n', input: { a: 1 } }
}

/** A prompt snapshot with that hash, as a fact. */
export function snapshot(hash: string): TurnFact {
  return { kind: 'snapshot', snapshot: { hash, system: 's', tools: [] } }
}

/** The end of a turn that completed. */
export function ending(more: Partial<TurnEnding> = {}): TurnEnding {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
  const outcome: TurnOutcome = { status: 'completed', text: 'done', steps: 1, usage }
  return { outcome, state: 'settled', facts: [], outbox: [], ...more }
}

/** Receives events; answers their places in the inbox, 0 for a duplicate. */
export async function receive(store: StateStore, ...ids: string[]): Promise<number[]> {
  const receipts = await receiveAll(store, ...ids.map((id) => ({ event: event(id) })))
  return receipts.map((receipt) => (receipt.receipt === 'stored' ? receipt.seq : 0))
}

/** Receives events, some of which may have their routes already. */
export function receiveAll(store: StateStore, ...events: NewInboxRecord[]) {
  return store.execute('inbox.receive', { adapter: 'test', account: 'bot', events, at: 1 })
}

/** The way to the conversation `c1` of the key `k`. */
export function laneRoute(more: Partial<LaneRoute> = {}): LaneRoute {
  return { key: 'k', conversation: 'c1', chat, limit: 100, ...more }
}

/** Routes a row to the conversation `c1` of the key `k`. */
export function route(store: StateStore, seq: number, more: Partial<LaneRoute & { event: InboundMessage; joined: readonly number[] }> = {}) {
  return store.execute('session.route', { seq, ...laneRoute(more), at: 2 })
}

/** Receives events and puts them into the lane of `c1`. */
export async function queued(store: StateStore, ...ids: string[]): Promise<number[]> {
  const seqs = await receive(store, ...ids)
  for (const seq of seqs) await route(store, seq)
  return seqs
}

/** A claim that brings the transcript. */
export type WholeClaim = TurnClaim & { readonly transcript: Transcript }

/** The events that a claim answers. */
export function eventsOf({ items }: TurnClaim): InboundEvent[] {
  return items.map((item) => {
    assert.ok('event' in item, 'it is an event')
    return item.event
  })
}

/** Claims the lane of `c1`, where something waits; of its transcript nothing is known. */
export async function claim(store: StateStore, turn = 't1', lane = 'c1'): Promise<WholeClaim> {
  const claimed = await store.execute('turn.claim', { lane, turn, at: 3 })
  assert.ok(claimed, `lane ${lane} has something to claim`)
  const { transcript } = claimed
  assert.ok(transcript !== 'known', 'nobody said that the transcript is known')
  return { ...claimed, transcript }
}

/** Claims the lane of `c1` for `next`, where something waits, by who holds its transcript as it is behind that epoch. */
export async function claimKnowing(store: StateStore, known: number): Promise<TurnClaim> {
  const claimed = await store.execute('turn.claim', { lane: 'c1', turn: 'next', at: 6, known })
  assert.ok(claimed, 'lane c1 has something to claim')
  return claimed
}

/** A turn `t1` that answers the event `e1`. */
export async function begun(store: StateStore): Promise<WholeClaim> {
  await queued(store, 'e1')
  return claim(store)
}

/** Stores facts of the turn in `c1`. */
export function commit(store: StateStore, epoch: number, facts: readonly TurnFact[]) {
  return store.execute('turn.commit', { lane: 'c1', epoch, facts, at: 4 })
}

/** Ends the turn in `c1`. */
export function end(store: StateStore, epoch: number, more: Partial<TurnEnding> = {}) {
  return store.execute('turn.end', { lane: 'c1', epoch, ending: ending(more), at: 5 })
}

/** Puts pieces into the outbox. */
export function add(store: StateStore, ...rows: NewOutboxRecord[]) {
  return store.execute('outbox.add', { rows, at: 6 })
}

/** Forgets what is old. */
export function forget(store: StateStore, before: number, limit = 100) {
  return store.execute('store.forget', { before, limit })
}

/** What is open in the outbox. */
export async function openPieces(
  store: StateStore,
  more: { adapter?: string; after?: number; limit?: number } = {},
): Promise<readonly OutboxRecord[]> {
  return store.execute('outbox.open', { after: 0, limit: 100, ...more })
}

/** The keys of what is open in the outbox. */
export async function openKeys(store: StateStore, more: { adapter?: string; after?: number; limit?: number } = {}): Promise<string[]> {
  return (await openPieces(store, more)).map((row) => row.key)
}

/** Ends the conversation `c1` of the key `k` and begins `c2`. */
export function renew(
  store: StateStore,
  more: { conversation?: string; next?: string; reason?: 'new' | 'idle'; outbox?: NewOutboxRecord[]; settles?: number } = {},
) {
  const { settles, ...rest } = more
  return store.execute('session.renew', {
    key: 'k',
    conversation: 'c1',
    next: 'c2',
    reason: 'new',
    at: 7,
    outbox: [],
    ...(settles !== undefined && { settles: { seq: settles, reason: 'command' } }),
    ...rest,
  })
}

/** Ids of the events that are not routed yet. */
export async function unrouted(store: StateStore, after = 0, limit = 100): Promise<string[]> {
  return (await store.execute('inbox.unrouted', { after, limit })).map((row) => row.event.id)
}

/** Answers all that waits in a lane; ids of the events in the order in which their turns came. */
export async function answered(store: StateStore, lane: string): Promise<string[]> {
  const ids: string[] = []
  for (let hasMore = true; hasMore;) {
    const claimed = await claim(store, `turn ${ids.length} of ${lane}`, lane)
    ids.push(...eventsOf(claimed).map(({ id }) => id))
    const ended = await store.execute('turn.end', { lane, epoch: claimed.epoch, ending: ending(), at: 8 })
    assert.ok(ended.outcome === 'stored', `a turn of ${lane} was ended`)
    hasMore = ended.hasMore
  }
  return ids
}

/** Ids of the messages that a claim brings. */
export const idsOf = (claimed: WholeClaim): string[] => claimed.transcript.messages.map((stored) => stored.id)
/** For `assert.rejects`: is it this error? */
export const codeOf = (code: string) => (error: unknown) => (error as { code?: unknown }).code === code

/** JSON drops members that are `undefined`, and so does a store. */
export function defined<T extends object>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T
}
