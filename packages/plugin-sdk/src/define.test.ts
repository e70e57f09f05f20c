import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  defineAdapter,
  defineCommand,
  definePlugin,
  defineTool,
  HermesError,
  isSecret,
  secret,
  type Adapter,
  type HermesErrorCode,
  type HostApi,
  type Plugin,
  type PlatformRegistration,
} from './index.js'

/** Calls a function as JavaScript can: without its types. */
function fromJavaScript(call: (...args: never[]) => unknown, ...args: unknown[]): unknown {
  return (call as (...args: unknown[]) => unknown)(...args)
}

function refusalOf(code: HermesErrorCode, call: () => unknown): string {
  try {
    call()
  } catch (error) {
    if (HermesError.is(error, code)) return error.message
    throw error
  }
  throw new Error('It was taken.')
}

/** The platform that a plugin registers, by a host that serves nothing else. */
function platformOf(plugin: Plugin): PlatformRegistration {
  let registration: PlatformRegistration | undefined
  const host: Pick<HostApi, 'registerPlatform'> = {
    registerPlatform(platform) {
      registration = platform as unknown as PlatformRegistration
      return { dispose() {}, [Symbol.dispose]() {} }
    },
  }
  void plugin.register(host as HostApi)
  if (!registration) throw new Error('No platform was registered.')
  return registration
}

const adapter = { platform: 'foo' } as Adapter<'foo'>
const foo = defineAdapter({
  platform: 'foo',
  options: z.object({ token: secret(), apiRoot: z.string().default('https://foo.example') }),
  create: () => adapter,
})

describe('definePlugin', () => {
  it('freezes the plugin and stamps the contract', () => {
    const plugin = definePlugin({ id: 'reactions', register() {} })
    expect(plugin).toMatchObject({ id: 'reactions', contract: 1 })
    expect(Object.isFrozen(plugin)).toBe(true)
  })

  it('keeps the `this` of a plugin that is a class', () => {
    class Counting {
      readonly id = 'counting'
      count = 0
      register() {
        this.count++
      }
    }
    const counting = new Counting()
    void definePlugin(counting).register({} as HostApi)
    expect(counting.count).toBe(1)
  })

  it('reads the id once', () => {
    let reads = 0
    const plugin = definePlugin({
      get id() {
        return ++reads === 1 ? 'first' : 'NOT AN ID'
      },
      register() {},
    })
    expect([plugin.id, plugin.id, reads]).toEqual(['first', 'first', 1])
  })

  it.each([
    [undefined],
    [null],
    ['x'],
    [() => {}],
    [{}],
    [{ id: 7 }],
    [{ id: 'Big' }],
    [{ id: '' }],
    [{ id: 'x' }],
    [{ id: 'x', register: 'later' }],
  ])('refuses %o', (definition) => {
    expect(refusalOf('plugin.invalid', () => fromJavaScript(definePlugin, definition))).toMatch(
      /definePlugin\(\) needs|plugin id must match|needs a function register/,
    )
  })
})

describe('defineAdapter', () => {
  it('makes a plugin that registers the platform with its parsed options', () => {
    const plugin = foo({ token: 't', allowFrom: ['1'] })
    expect(plugin.id).toBe('foo')
    const registration = platformOf(plugin)
    expect(registration.platform).toBe('foo')
    expect(registration.options).toMatchObject({ apiRoot: 'https://foo.example', allowFrom: ['1'] })
    expect(isSecret((registration.options as { token?: unknown }).token)).toBe(true)
    expect(registration.create()).toBe(adapter)
  })

  it('names the plugin after the instance', () => {
    expect(foo({ token: 't', name: 'foo-2' }).id).toBe('foo-2')
  })

  it('loads what an adapter needs when its plugin registers, and not before', async () => {
    let loads = 0
    const large = defineAdapter({
      platform: 'large',
      options: z.object({ room: z.string() }),
      load: async () => {
        loads += 1
        return { open: (room: string) => ({ platform: 'large', account: room }) as Adapter<'large'> }
      },
      create: ({ room }, sdk) => sdk.open(room),
    })
    const plugin = large({ room: 'r' })
    expect(loads).toBe(0)
    const registrations: PlatformRegistration[] = []
    await plugin.register({ registerPlatform: (platform: PlatformRegistration) => registrations.push(platform) } as unknown as HostApi)
    expect(registrations.map((registration) => [registration.create().account, registration.create().account])).toEqual([['r', 'r']])
    expect(loads).toBe(1)
  })

  it('takes no options where none is needed', () => {
    expect(defineAdapter({ platform: 'bar', options: z.object({}), create: () => ({}) as Adapter<'bar'> })().id).toBe('bar')
  })

  it('keeps refinements of the options', () => {
    const options = z.object({ low: z.number(), high: z.number() }).refine(({ low, high }) => low < high, 'low must be below high')
    const range = defineAdapter({ platform: 'range', options, create: () => ({}) as Adapter<'range'> })
    expect(refusalOf('options.invalid', () => range({ low: 2, high: 1 }))).toContain('low must be below high')
  })

  it('refuses options that are unknown, missing or of a wrong type', () => {
    expect(refusalOf('options.invalid', () => fromJavaScript(foo, { token: 't', alowFrom: [] }))).toContain(
      'alowFrom: unknown option (did you mean allowFrom?)',
    )
    expect(refusalOf('options.invalid', () => fromJavaScript(foo))).toContain('token: must be a string')
    expect(refusalOf('options.invalid', () => fromJavaScript(foo, { token: 't', name: 'Not a name' }))).toContain('name: must be 1 to 64 characters')
  })

  it.each([
    ['nothing', undefined, 'platform'],
    ['a wrong name', { platform: 'Foo Bar' }, 'platform'],
    ['no schema', { platform: 'foo', options: { token: 'string' } }, 'zod object schema'],
    ['a name of the shared options', { platform: 'foo', options: z.object({ allowFrom: z.string() }) }, 'must not define allowFrom'],
    ['no create', { platform: 'foo', options: z.object({}) }, 'create must be a function'],
    ['a load that is none', { platform: 'foo', options: z.object({}), load: {} }, 'load must be a function'],
    ['a pattern that is none', { platform: 'foo', options: z.object({}), idPattern: '^1' }, 'idPattern must be a regular expression'],
  ])('refuses %s', (_, definition, message) => {
    expect(refusalOf('plugin.invalid', () => fromJavaScript(defineAdapter, definition))).toContain(message)
  })
})

describe('defineTool', () => {
  const tool = { name: 'weather', description: 'Tells the weather.', input: z.object({ city: z.string() }), run: () => 'sunny' }

  it('returns the tool as it is', () => {
    expect(defineTool(tool)).toBe(tool)
  })

  it('takes a JSON Schema', () => {
    expect(defineTool({ ...tool, input: { type: 'object' } }).input).toEqual({ type: 'object' })
  })

  it('tells every issue at once', () => {
    const message = refusalOf('value.invalid', () => fromJavaScript(defineTool, { name: 'Wetter heute' }))
    expect(message).toMatch(/^The tool "Wetter heute" cannot be used: name must match .*; description .*; input .*; run must be a function\.$/)
  })

  it.each([
    [undefined],
    [null],
    ['weather'],
    [{ ...tool, name: 7 }],
    [{ ...tool, description: '' }],
    [{ ...tool, input: [] }],
    [{ ...tool, run: null }],
  ])('refuses %o', (wrong) => {
    expect(refusalOf('value.invalid', () => fromJavaScript(defineTool, wrong))).toMatch(/tool/)
  })

  // engine 16
  it.each([
    [{ type: 'object', parameters: [] }],
    [{ type: 'object', properties: [] }],
    [{ type: 'string' }],
    [{}],
    [z.string()],
    [z.object({ at: z.date() })],
  ])('refuses an input that describes no object, %j, and names the tool', (input) => {
    expect(refusalOf('value.invalid', () => fromJavaScript(defineTool, { ...tool, input }))).toMatch(/tool "weather" cannot be used: input must be/)
  })
})

describe('defineCommand', () => {
  const command = { name: 'ping', description: 'Answers pong.', run: () => 'pong' }

  it('returns the command as it is', () => {
    expect(defineCommand(command)).toBe(command)
  })

  it.each([
    [undefined],
    [null],
    [{ ...command, name: '/ping' }],
    [{ ...command, name: 'Ping' }],
    [{ ...command, description: '' }],
    [{ ...command, whileBusy: 'wait' }],
    [{ ...command, tier: 'owner' }],
    [{ ...command, run: 'pong' }],
  ])('refuses %o', (wrong) => {
    expect(refusalOf('value.invalid', () => fromJavaScript(defineCommand, wrong))).toMatch(/command/)
  })
})
