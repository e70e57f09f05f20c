import type { Author, RoutedChat } from '../../addresses.js'
import type { AgentFailure, TurnOutcome } from '../../agent.js'
import type { InboundEvent } from '../../events.js'
import type { HookName, Hooks } from '../../hooks.js'
import type { SendOutcome } from '../../messages.js'
import type { CallId, Finish, ResultPart, ToolStatus, TurnId } from '../../transcript.js'
import { turnIn } from './hosts-side.js'

type Samples = { readonly [N in HookName]: readonly Hooks[N]['payload'][] }

const author: Author = { id: '1', name: 'Somebody', language: 'en', isBot: false }
const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0 }
const model = { provider: 'conformance', model: 'model-1' }
const failure: AgentFailure = { reason: 'overloaded', message: 'The provider is overloaded.', status: 529, retryAfterMs: 1_000 }
const strange = ['', 'hello', '/x y', 'ünïcödé 漢字 🏳️‍🌈', 'x'.repeat(100_000)]
const statuses: readonly ToolStatus[] = ['ok', 'error', 'denied', 'skipped', 'interrupted', 'unknown']
const finishes: readonly Finish[] = ['stop', 'tool-calls', 'length', 'content-filter', 'error', 'other']
const kinds = ['dm', 'group', 'channel', 'thread', 'forum'] as const

const callId = 'call-1' as CallId
const inputs = [{}, { path: 'a', nested: { list: [1, null, 'x'] }, nothing: undefined }]
const parts: readonly ResultPart[] = [
  { type: 'text', text: 'found' },
  { type: 'json', value: { found: true } },
  { type: 'media', media: { ref: 'media-1', mediaType: 'image/png' } },
]
const finishedCalls = statuses.flatMap((status) =>
  [[], parts].map((list) => ({ callId, name: 'look', input: {}, status, parts: list, durationMs: 5 })),
)

const ended = { text: '', steps: 1, usage }
const outcomes: readonly TurnOutcome[] = [
  { ...ended, status: 'completed', text: 'An answer.' },
  { ...ended, status: 'stopped', limit: 'steps' },
  { ...ended, status: 'interrupted', stop: { kind: 'stop', abandons: true } },
  { ...ended, status: 'failed', failure },
]
const sends: readonly SendOutcome[] = [
  { status: 'sent', ids: ['1'] },
  { status: 'sent', ids: [] },
  { status: 'rejected', reason: 'forbidden', detail: 'blocked' },
  { status: 'unknown', detail: 'no answer' },
]

/** For every hook, payloads of each shape that a host gives, in a chat of the platform and, where there may be none, in no chat. */
export function payloadsOn(platform: string): Samples {
  const chats = kinds.map((kind): RoutedChat => ({ platform, kind, chatId: kind, adapter: platform, ...(kind === 'thread' && { threadId: '7' }) }))
  const chat: RoutedChat = { platform, kind: 'dm', chatId: '1', adapter: platform }
  const turns = [turnIn(chat), turnIn(undefined)]
  const sessionKey = 'conformance:1'
  return {
    preDispatch: [...eventsIn(chat), ...chats.map((place) => messageIn(place, 'hello'))].map((event) => ({
      event,
      chat: { ...event.chat, adapter: platform },
    })),
    preCommand: ['', 'some words'].map((args) => ({ name: 'help', args, author, chat, sessionKey })),
    sessionStart: chats.map((place) => ({ sessionKey, chat: place })),
    sessionEnd: [{ sessionKey, chat, reason: 'new' }],
    turnStart: turns.flatMap((turn) => strange.map((text, index) => ({ turn, text, isFirst: index === 0 }))),
    turnEnd: turns.flatMap((turn) =>
      outcomes.map((outcome) => ({ turn, state: outcome.status === 'interrupted' ? 'abandoned' : 'settled', outcome, durationMs: 5 })),
    ),
    preModelCall: turns.map((turn) => ({ turn, model, attempt: 1 })),
    postModelCall: turns.flatMap((turn) => finishes.map((finish) => ({ turn, model, attempt: 1, durationMs: 5, finish, usage }))),
    modelError: turns.flatMap((turn) => [true, false].map((willRetry) => ({ turn, model, attempt: 2, durationMs: 5, failure, willRetry }))),
    preToolCall: turns.flatMap((turn) => inputs.map((input) => ({ turn, callId, name: 'look', input }))),
    postToolCall: turns.flatMap((turn) => finishedCalls.map((call) => ({ turn, ...call }))),
    transformToolResult: turns.flatMap((turn) => finishedCalls.map((call) => ({ turn, ...call }))),
    transformAnswer: turns.flatMap((turn) => strange.map((text) => ({ turn, text }))),
    streamDelta: turns.flatMap((turn) => (['text', 'reasoning'] as const).map((kind) => ({ turn, kind, text: 'a few words' }))),
    prefersFreshFinalStreaming: strange.map((text) => ({ text, metadata: { platform }, chatId: chat.chatId, chat })),
    deliveryOutcome: sends.flatMap((outcome) =>
      [undefined, 'turn-1' as TurnId].map((turnId) => {
        const piece = { chat, turnId, key: 'k'.repeat(24), chunk: 0, chunks: 1, attempt: 1 }
        return { ...piece, outcome, isLast: outcome.status === 'sent' }
      }),
    ),
    adapterConnected: [true, false].map((isReconnect) => ({ adapter: platform, platform, isReconnect })),
    adapterFailed: [undefined, Date.now() + 2_000].map((nextAttemptAt) => {
      const lost = { code: 'network', message: 'The connection is lost.', isRetryable: nextAttemptAt !== undefined }
      return { adapter: platform, platform, nextAttemptAt, failure: lost }
    }),
  }
}

/** The names of all hooks. */
export const allHooks: readonly string[] = Object.keys(payloadsOn('any'))

function messageIn(chat: RoutedChat, text: string): InboundEvent {
  return { kind: 'message', ...frameIn(chat), messageId: '1', author, text, mentions: 'us' }
}

function eventsIn(chat: RoutedChat): readonly InboundEvent[] {
  const frame = frameIn(chat)
  const full = {
    attachments: [{ kind: 'image', ref: { id: '1' } }],
    replyTo: { messageId: '0' },
    context: ['before'],
    names: { chat: 'Chat' },
  } as const
  return [
    ...strange.map((text) => messageIn(chat, text)),
    { kind: 'message', ...frame, messageId: '1', author, text: 'all of it', mentions: 'none', ...full },
    { kind: 'edit', ...frame, messageId: '1', author, text: 'changed' },
    { kind: 'delete', ...frame, messageIds: ['1', '2'] },
    { kind: 'command', ...frame, author, name: 'help', args: '' },
    { kind: 'choice', ...frame, author, promptId: 'p', optionId: 'o' },
    { kind: 'reaction', ...frame, author, messageId: '1', emoji: '👍', isRemoved: false },
    { kind: 'notice', ...frame, name: 'member-joined', data: {} },
  ]
}

function frameIn({ adapter: _adapter, ...chat }: RoutedChat): Pick<InboundEvent, 'id' | 'at' | 'chat'> {
  return { id: 'event-1', at: Date.UTC(2030, 0), chat }
}
