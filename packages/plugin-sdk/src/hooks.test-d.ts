import { describe, expectTypeOf, it } from 'vitest'
import type { AgentFailure, CallId, HookContext, HookName, HostApi, InboundEvent, JsonObject, RoutedChat, TurnRef } from './index.js'

declare const host: HostApi

describe('host.on', () => {
  it('types payload and context by the name of the hook', () => {
    host.on('preToolCall', (call, context) => {
      expectTypeOf(call.callId).toEqualTypeOf<CallId>()
      expectTypeOf(call.input).toEqualTypeOf<JsonObject>()
      expectTypeOf(context).toEqualTypeOf<HookContext>()
    })
    host.on('preDispatch', ({ event, chat }) => {
      expectTypeOf(event).toEqualTypeOf<InboundEvent>()
      expectTypeOf(chat).toEqualTypeOf<RoutedChat>()
    })
    host.on('modelError', ({ turn, failure }) => {
      expectTypeOf(turn).toEqualTypeOf<TurnRef>()
      expectTypeOf(failure).toEqualTypeOf<AgentFailure>()
    })
  })

  it('takes every form of no answer, at once and later', () => {
    host.on('preToolCall', () => {})
    host.on('preToolCall', () => null)
    host.on('preToolCall', async () => undefined)
    host.on('transformAnswer', async ({ text }) => (text === '' ? null : text))
    host.on('turnEnd', async () => {}, { stage: 1, platform: 'slack' })
    host.on('prefersFreshFinalStreaming', ({ text }) => text.includes('https://') || undefined)
  })

  it('refuses what its hook does not know', () => {
    // @ts-expect-error -- no such hook
    host.on('preToolcall', () => {})
    // @ts-expect-error -- no such directive
    host.on('preToolCall', () => ({ action: 'allow' }))
    // @ts-expect-error -- a block needs its message
    host.on('preToolCall', () => ({ action: 'block' }))
    // @ts-expect-error -- the input is an object
    host.on('preToolCall', () => ({ action: 'modify', input: 'x' }))
    // @ts-expect-error -- a skip needs its reason
    host.on('preDispatch', async () => ({ action: 'skip' }))
    // @ts-expect-error -- a context is an object
    host.on('turnStart', () => 'context')
    // @ts-expect-error -- an answer is a text
    host.on('transformAnswer', () => 42)
    // @ts-expect-error -- this hook answers at once
    host.on('prefersFreshFinalStreaming', async () => true)
    // @ts-expect-error -- an approval asks with a text
    host.on('preToolCall', () => ({ action: 'approve', message: 42 }))
    // @ts-expect-error -- only a message and an edit have a text
    host.on('preDispatch', ({ event }) => void event.text)
    // @ts-expect-error -- no such member of the payload
    host.on('preToolCall', (call) => void call.arguments)
    host.on('preToolCall', (call) => {
      // @ts-expect-error -- the payload is shared, and nobody may change it
      call.name = 'other'
    })
    // @ts-expect-error -- no such option
    host.on('turnEnd', () => {}, { before: 'other' })
    // @ts-expect-error -- the stage is a number
    host.on('turnEnd', () => {}, { stage: 'early' })
  })
})

describe('HookName', () => {
  it('is a closed set', () => {
    expectTypeOf<HookName>().toEqualTypeOf<
      | 'preDispatch'
      | 'preCommand'
      | 'sessionStart'
      | 'sessionEnd'
      | 'turnStart'
      | 'turnEnd'
      | 'preModelCall'
      | 'postModelCall'
      | 'modelError'
      | 'preToolCall'
      | 'postToolCall'
      | 'transformToolResult'
      | 'transformAnswer'
      | 'streamDelta'
      | 'prefersFreshFinalStreaming'
      | 'deliveryOutcome'
      | 'adapterConnected'
      | 'adapterFailed'
    >()
  })
})
