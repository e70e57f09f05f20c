import { describe, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import {
  defineAdapter,
  defineTool,
  HermesError,
  secret,
  type Adapter,
  type AdapterContext,
  type AgentEvent,
  type Attachment,
  type InboundEvent,
  type InboundReaction,
  type NativeOf,
  type Plugin,
  type RuntimeEvent,
  type Secret,
  type SendOutcome,
} from './index.js'

class FooClient {
  readonly isFoo = true
}

declare module './index.js' {
  interface PlatformNatives {
    foo: FooClient
  }
}

declare const adapter: Adapter<'foo'>

describe('defineAdapter', () => {
  it('asks for no options where the schema needs none', () => {
    const free = defineAdapter({ platform: 'foo', options: z.object({ url: z.string().optional() }), create: () => adapter })
    expectTypeOf(free).toBeCallableWith()
    expectTypeOf(free).toBeCallableWith({ url: 'x', allowFrom: ['1'] })
    expectTypeOf(free).returns.toEqualTypeOf<Plugin>()
  })

  it('takes the shared options also where the adapter has none of its own', () => {
    const bare = defineAdapter({ platform: 'foo', options: z.object({}), create: () => adapter })
    expectTypeOf(bare).toBeCallableWith()
    expectTypeOf(bare).toBeCallableWith({ allowAll: true })
  })

  it('asks for options where the schema does, as they go in', () => {
    const strict = defineAdapter({
      platform: 'foo',
      options: z.object({ token: secret() }),
      create(options) {
        expectTypeOf(options.token).toEqualTypeOf<Secret>()
        return adapter
      },
    })
    expectTypeOf(strict).toBeCallableWith({ token: 't', name: 'foo-2' })
    // @ts-expect-error -- the token is missing
    expectTypeOf(strict).toBeCallableWith()
    // @ts-expect-error -- no such option
    void strict({ token: 't', alowFrom: [] })
  })

  it('wants an adapter of its platform', () => {
    // @ts-expect-error -- an adapter of another platform
    defineAdapter({ platform: 'bar', options: z.object({}), create: () => adapter })
  })
})

describe('PlatformNatives', () => {
  it('types the native object where a package says it, and knows nothing of others', () => {
    expectTypeOf<NativeOf<'foo'>>().toEqualTypeOf<FooClient>()
    expectTypeOf<NativeOf<'elsewhere'>>().toEqualTypeOf<unknown>()
    expectTypeOf<AdapterContext<'foo'>['wireNative']>().parameters.toEqualTypeOf<[FooClient]>()
  })
})

describe('AgentEvent', () => {
  it('is a closed set', () => {
    expectTypeOf<AgentEvent['type']>().toEqualTypeOf<
      | 'turn-start'
      | 'step-start'
      | 'text-delta'
      | 'text-end'
      | 'reasoning-delta'
      | 'reasoning-end'
      | 'tool-input-start'
      | 'step-end'
      | 'message-add'
      | 'state-set'
      | 'retry-wait'
      | 'model-change'
      | 'compaction-start'
      | 'compaction-end'
      | 'notice-post'
      | 'agent-event'
      | 'tool-start'
      | 'tool-progress'
      | 'tool-end'
      | 'question-open'
      | 'question-close'
      | 'turn-end'
    >()
  })

  it('has everything that a runtime may yield', () => {
    expectTypeOf<Exclude<RuntimeEvent['type'], AgentEvent['type']>>().toBeNever()
  })
})

describe('InboundEvent', () => {
  it('is a closed set, told apart by its kind', () => {
    expectTypeOf<InboundEvent['kind']>().toEqualTypeOf<'message' | 'edit' | 'delete' | 'command' | 'choice' | 'reaction' | 'notice'>()
    expectTypeOf<Extract<InboundEvent, { kind: 'choice' }>['promptId']>().toEqualTypeOf<string>()
    // @ts-expect-error -- a reaction is somebody's
    const nobody: InboundReaction = {
      kind: 'reaction',
      id: '1',
      at: 0,
      chat: { platform: 'x', kind: 'dm', chatId: '1' },
      messageId: '1',
      emoji: '👍',
      isRemoved: false,
    }
    void nobody
  })

  it('has plain data where an adapter keeps its own', () => {
    // @ts-expect-error -- a date is no plain data
    const dated: Attachment = { kind: 'image', ref: { sentAt: new Date() } }
    void dated
  })
})

describe('the other closed sets', () => {
  it('tell a send by its status', () => {
    expectTypeOf<SendOutcome['status']>().toEqualTypeOf<'sent' | 'rejected' | 'unknown'>()
  })

  it('type the input of a tool by its schema', () => {
    defineTool({
      name: 'weather',
      description: 'Tells the weather.',
      input: z.object({ city: z.string() }),
      run(input) {
        expectTypeOf(input).toEqualTypeOf<{ city: string }>()
        return input.city
      },
    })
  })

  it('type the detail of an error by its code', () => {
    const error: unknown = undefined
    if (HermesError.is(error, 'turn.closed')) expectTypeOf(error.detail).toEqualTypeOf<{ readonly lane: string; readonly epoch: number }>()
  })
})
