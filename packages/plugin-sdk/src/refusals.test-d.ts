import { describe, it } from 'vitest'
import { z } from 'zod'
import {
  defineAdapter,
  definePlugin,
  defineTool,
  HermesError,
  secret,
  type Adapter,
  type AdapterContext,
  type ChatCapabilities,
  type Command,
  type HostApi,
  type InboundEvent,
  type SendOutcome,
} from './index.js'

class BarClient {
  readonly isBar = true
}

declare module './index.js' {
  interface PlatformNatives {
    bar: BarClient
  }
}

declare const host: HostApi
declare const adapter: Adapter<'bar'>
declare const adapterWithoutSend: Omit<Adapter<'bar'>, 'send'>

describe('what goes on over a platform', () => {
  it('is no outcome without what it has to say', () => {
    // @ts-expect-error -- no such status
    void ({ status: 'failed', detail: 'no answer' } satisfies SendOutcome)
    // @ts-expect-error -- what was sent names its messages
    void ({ status: 'sent' } satisfies SendOutcome)
    // @ts-expect-error -- a refusal says why
    void ({ status: 'rejected', detail: 'no' } satisfies SendOutcome)
    // @ts-expect-error -- no such reason of a refusal
    void ({ status: 'rejected', reason: 'bored', detail: 'no' } satisfies SendOutcome)
  })

  it('is no event of a kind that there is not', () => {
    // @ts-expect-error -- no such kind of event
    void ('poll' satisfies InboundEvent['kind'])
  })

  it('is not measured in a unit that the core does not count', () => {
    // @ts-expect-error -- no such unit of length
    void ({ text: { limit: 4_096, unit: 'bytes', dialect: 'plain' } } satisfies ChatCapabilities)
  })
})

describe('what an author brings', () => {
  it('has its members', () => {
    // @ts-expect-error -- an adapter sends
    defineAdapter({ platform: 'bar', options: z.object({}), create: () => adapterWithoutSend })
    // @ts-expect-error -- a plugin registers
    definePlugin({ id: 'idle' })
    // @ts-expect-error -- a command runs
    host.registerCommand({ name: 'idle', description: 'Does nothing.' })
    // @ts-expect-error -- a result is a text or parts
    defineTool({ name: 'answer', description: 'Answers.', input: z.object({}), run: () => 42 })
    // @ts-expect-error -- no such mode of a command
    void ('wait' satisfies NonNullable<Command['whileBusy']>)
  })
})

describe('an option', () => {
  const bar = defineAdapter({ platform: 'bar', options: z.object({ token: secret() }), create: () => adapter })

  it('is of its type', () => {
    // @ts-expect-error -- ids are texts
    void bar({ token: 't', allowFrom: [42] })
    // @ts-expect-error -- the value of a secret goes in as a text
    void bar({ token: 42 })
  })

  it('that is a secret is no text', () => {
    const options = z.object({ token: secret() })
    // @ts-expect-error -- a secret is revealed where it is used
    defineAdapter({ platform: 'bar', options, create: ({ token }) => (token.toUpperCase(), adapter) })
    // @ts-expect-error -- a text is not hidden
    host.redact('planted-token')
  })
})

describe('a right', () => {
  it('is one that there is', () => {
    // @ts-expect-error -- nobody can ask for it
    definePlugin({ id: 'reader', grants: ['messages.read'], register() {} })
    // @ts-expect-error -- nobody can have it
    host.can('messages.read')
  })
})

describe('an error', () => {
  it('has a code that there is, and what belongs to it', () => {
    // @ts-expect-error -- no such code
    void new HermesError('plugin.sad', 'It is sad.', {})
    // @ts-expect-error -- the detail of another code
    void new HermesError('grant.missing', 'It may not.', { what: 'plugin' })
    const error: unknown = undefined
    // @ts-expect-error -- a member of the detail of another code
    if (HermesError.is(error, 'turn.closed')) void error.detail.issues
  })
})

describe('a native object', () => {
  it('is that of its platform', () => {
    // @ts-expect-error -- no such member of this native object
    host.registerPlatformHandler('bar', (native) => void native.isFoo)
    // @ts-expect-error -- a platform whose package is not imported has an unknown one
    host.registerPlatformHandler('elsewhere', (native) => void native.isBar)
    // @ts-expect-error -- a handler answers with its undo, or with nothing
    host.registerPlatformHandler('bar', () => 42)
    // @ts-expect-error -- that of another platform
    void ((context: AdapterContext<'bar'>) => context.wireNative(new Date()))
  })
})
