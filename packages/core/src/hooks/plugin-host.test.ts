import { definePlugin, hideSecret, type Adapter, type HermesError, type HostApi, type Plugin, type Tool, type TurnId } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../kernel/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { noServices } from './hook-rig.js'
import { createHookBus, createPluginHost } from './index.js'

function openHost() {
  const clock = new FakeClock()
  const lines: { level: string; fields: object; message: string }[] = []
  const log = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const redactor = createRedactor()
  const hooks = createHookBus({ clock, logger, redact: redactor.redact, timeoutMs: 30_000 })
  return { clock, lines, redactor, hooks, host: createPluginHost({ clock, logger, redactor, hooks, services: noServices }) }
}

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const plugin = (id: string, register: (host: HostApi) => void | Promise<void>): Plugin => definePlugin({ id, register })
const tool = (name: string): Tool => ({ name, description: 'A tool.', input: { type: 'object' }, run: () => 'ok' })
const command = (name: string) => ({ name, description: 'A command.', run: () => 'ok' })
const platform = (name?: string) => ({ platform: 'made-up', options: { name }, create: () => ({}) as Adapter })
const failure = async (promise: Promise<unknown>): Promise<HermesError> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as HermesError,
  )

describe('a plugin that comes in', () => {
  it('shows what it registered, and hands its platforms to whoever serves them', async () => {
    const { host } = openHost()
    const served: string[] = []
    host.onPlatform((name) => {
      served.push(name)
      return () => {}
    })
    await host.add(
      plugin('weather', (api) => {
        api.registerTool(tool('forecast'))
        api.registerCommand(command('rain'))
        api.registerPlatform(platform('second'))
        api.registerPlatform(platform())
      }),
    )
    expect(host.tools().map((entry) => entry.name)).toEqual(['forecast'])
    expect(host.commands().map((entry) => entry.name)).toEqual(['rain'])
    expect(host.command('rain')?.description).toBe('A command.')
    expect(served).toEqual(['second', 'made-up'])
    expect(host.plugins()).toEqual([{ id: 'weather', state: 'registered' }])
  })

  it('is refused by name when it was written for another contract, or was never made by definePlugin', async () => {
    const { host } = openHost()
    const newer = { ...plugin('next', () => {}), contract: 2 } as unknown as Plugin
    expect(await failure(host.add(newer))).toMatchObject({
      code: 'plugin.invalid',
      message: expect.stringContaining('next'),
      detail: { member: 'contract' },
    })
    const bare = { id: 'bare', register: () => {} } as unknown as Plugin
    expect((await failure(host.add(bare))).message).toContain('definePlugin')
    expect(host.plugins()).toEqual([])
  })

  it('is refused when its id is taken', async () => {
    const { host } = openHost()
    await host.add(plugin('twin', () => {}))
    expect(await failure(host.add(plugin('twin', () => {})))).toMatchObject({
      code: 'name.taken',
      detail: { kind: 'plugin', name: 'twin', owner: 'twin' },
    })
  })

  it('cannot take a name that another plugin has, and learns whose it is', async () => {
    const { host } = openHost()
    await host.add(
      plugin('first', (api) => {
        api.registerTool(tool('search'))
        api.registerCommand(command('search'))
        api.registerPlatform(platform('search'))
      }),
    )
    for (const [kind, register] of [
      ['tool', (api: HostApi) => api.registerTool(tool('search'))],
      ['command', (api: HostApi) => api.registerCommand(command('search'))],
      ['platform', (api: HostApi) => api.registerPlatform(platform('search'))],
    ] as const) {
      const error = await failure(host.add(plugin(`second-${kind}`, (api) => void register(api))))
      expect(error).toMatchObject({ code: 'plugin.failed', cause: { code: 'name.taken', detail: { kind, name: 'search', owner: 'first' } } })
    }
  })

  it('cannot register what has a wrong shape', async () => {
    const { host } = openHost()
    const wrong = [
      (api: HostApi) => api.registerTool({ ...tool('a b'), run: 'x' } as unknown as Tool),
      (api: HostApi) => api.registerCommand({ ...command('Loud'), description: '' }),
      (api: HostApi) => api.registerPlatform({ platform: '', options: {}, create: () => ({}) as Adapter }),
    ]
    for (const [index, register] of wrong.entries()) {
      const error = await failure(host.add(plugin(`wrong-${index}`, (api) => void register(api))))
      expect(error).toMatchObject({ code: 'plugin.failed', cause: { code: 'value.invalid' } })
    }
  })

  it('tells the redactor the secrets in the options of its platforms, and those that it names itself', async () => {
    const { host, redactor } = openHost()
    await host.add(
      plugin('holder', (api) => {
        api.registerPlatform({ ...platform(), options: { login: { token: hideSecret('token-in-options') } } as object })
        api.redact(hideSecret('told-by-hand'))
      }),
    )
    expect(redactor.redact('token-in-options told-by-hand')).toBe('[secret] [secret]')
  })
})

describe('a plugin that does not know its limits', () => {
  it('is refused at its 1001st registration, and what it gives back makes room', async () => {
    const { host } = openHost()
    const refused: unknown[] = []
    await host.add(
      plugin('greedy', (api) => {
        for (let count = 0; count < 10_000; count++) {
          try {
            api.registerTool(tool(`tool-${count}`))
          } catch (error) {
            refused.push(error)
          }
        }
      }),
    )
    expect([host.tools().length, refused.length]).toEqual([1000, 9000])
    expect(refused[0]).toMatchObject({ code: 'value.invalid', message: expect.stringContaining('greedy') })
    const modest = plugin('modest', (api) => {
      for (let count = 0; count < 2000; count++) api.registerCommand(command('again')).dispose()
    })
    await host.add(modest)
    await host.stop()
    expect(host.tools()).toEqual([])
  })

  it('has no more than 100 secrets hidden at once, and what it gives back makes room', async () => {
    const { host, redactor } = openHost()
    let refusal: unknown
    const greedy = plugin('greedy', (api) => {
      for (let count = 0; count < 10_000; count++) api.redact(hideSecret(`passing-secret-${count}`)).dispose()
      for (let count = 0; count < 100; count++) api.redact(hideSecret(`kept-secret-${count}`))
      try {
        api.redact(hideSecret('one-secret-more'))
      } catch (error) {
        refusal = error
      }
    })
    await host.add(greedy)
    expect(refusal).toMatchObject({ code: 'value.invalid', message: expect.stringContaining('greedy') })
    expect(redactor.redact('kept-secret-99 passing-secret-7')).toBe('[secret] passing-secret-7')
  })

  it.each(['../x', '', 'Upper', 'a b', 'x'.repeat(65), '__proto__', null])('is refused under the id %j', async (id) => {
    const { host } = openHost()
    const bad = { id, register: () => {}, contract: 1 } as unknown as Plugin
    expect(await failure(host.add(bad))).toMatchObject({ code: 'plugin.invalid', detail: { member: 'id' } })
    expect(host.plugins()).toEqual([])
  })
})

describe('a name that belongs to hermes itself', () => {
  it('cannot be taken by a command of a plugin', async () => {
    const host = createPluginHost({ ...openHost(), services: noServices, logger: quiet, reservedCommands: ['help'] })
    const error = await failure(host.add(plugin('eager', (api) => void api.registerCommand(command('help')))))
    expect(error).toMatchObject({ cause: { code: 'name.taken', detail: { name: 'help', owner: 'hermes' } } })
  })
})

describe('a plugin that fails to register', () => {
  it('leaves nothing behind, is said in the health and in the log, and may try again', async () => {
    const { host, lines } = openHost()
    const undone: string[] = []
    const error = await failure(
      host.add(
        plugin('broken', (api) => {
          api.registerTool(tool('half'))
          api.onStop(() => void undone.push('stopped'))
          throw new Error('no database')
        }),
      ),
    )
    expect(error).toMatchObject({
      code: 'plugin.failed',
      message: expect.stringContaining('no database'),
      detail: { pluginId: 'broken', where: 'register' },
    })
    expect(host.tools()).toEqual([])
    expect(undone).toEqual(['stopped'])
    expect(host.plugins()).toEqual([{ id: 'broken', state: 'failed', reason: 'no database' }])
    expect(lines).toContainEqual(expect.objectContaining({ level: 'error', fields: expect.objectContaining({ plugin: 'broken' }) }))
    await host.add(plugin('broken', () => {}))
    expect(host.plugins()).toEqual([{ id: 'broken', state: 'registered' }])
  })

  it('shows no secret in its reason or error', async () => {
    const { host, redactor } = openHost()
    redactor.add(hideSecret('planted-secret'))
    const error = await failure(
      host.add(plugin('leaky', () => Promise.reject(new Error('at https://x/planted-secret', { cause: new Error('planted-secret') })))),
    )
    const cause = error.cause as Error
    expect(`${error.message} ${cause.stack} ${String(cause.cause)} ${JSON.stringify(host.plugins())}`).not.toContain('planted')
  })

  it('is given up after 30 seconds, and what it registers later is refused', async () => {
    const { host, clock } = openHost()
    let goOn: () => void = () => {}
    let late: unknown
    const adding = failure(
      host.add(
        plugin('slow', async (api) => {
          await new Promise<void>((resolve) => (goOn = resolve))
          try {
            api.registerTool(tool('late'))
          } catch (error) {
            late = error
          }
        }),
      ),
    )
    expect(await clock.slept()).toBe(30_000)
    await clock.advance(30_000)
    expect(await adding).toMatchObject({ code: 'plugin.failed', cause: { code: 'timed-out' } })
    goOn()
    await new Promise((resolve) => setImmediate(resolve))
    expect(late).toMatchObject({ code: 'stopped', detail: { what: 'plugin slow' } })
  })
})

describe('a plugin that leaves', () => {
  it('is undone in reverse order, each step after the last one ended', async () => {
    const { host } = openHost()
    const undone: string[] = []
    const later = async (step: string): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      undone.push(step)
    }
    host.onPlatform((name) => () => later(name))
    const added = await host.add(
      plugin('tidy', (api) => {
        api.onStop(() => void undone.push('first'))
        api.registerPlatform(platform())
        api.onStop(() => later('last'))
      }),
    )
    added.dispose()
    added.dispose()
    await host.stop()
    expect(undone).toEqual(['last', 'made-up', 'first'])
    expect(host.plugins()).toEqual([])
  })

  it('may be replaced at once: the next of its name waits until it is gone', async () => {
    const { host } = openHost()
    const added = await host.add(plugin('again', (api) => void api.registerTool(tool('same'))))
    added.dispose()
    await host.add(plugin('again', (api) => void api.registerTool(tool('same'))))
    expect(host.tools()).toHaveLength(1)
  })

  it('goes on leaving when one step throws and another one hangs for more than five seconds', async () => {
    const { host, clock, lines } = openHost()
    const undone: string[] = []
    await host.add(
      plugin('stuck', (api) => {
        api.onStop(() => void undone.push('reached'))
        api.onStop(() => new Promise(() => {}))
        api.onStop(() => {
          throw new Error('no')
        })
      }),
    )
    const stopping = host.stop()
    expect(await clock.slept()).toBe(5000)
    await clock.advance(5000)
    await stopping
    expect(undone).toEqual(['reached'])
    expect(lines.filter((line) => line.level === 'warn')).toHaveLength(2)
  })

  it('does not undo twice what it took back itself', async () => {
    const { host } = openHost()
    const undone: string[] = []
    await host.add(
      plugin('fickle', (api) => {
        api.registerTool(tool('gone')).dispose()
        api.onStop(() => void undone.push('never')).dispose()
        api.registerTool(tool('gone'))
      }),
    )
    await host.stop()
    expect(undone).toEqual([])
    expect(host.tools()).toEqual([])
  })
})

describe('the host', () => {
  it('stops the newest plugin first, and lets nobody in afterwards', async () => {
    const { host } = openHost()
    const left: string[] = []
    for (const id of ['one', 'two']) await host.add(plugin(id, (api) => void api.onStop(() => void left.push(id))))
    await host.stop()
    await host.stop()
    expect(left).toEqual(['two', 'one'])
    expect(await failure(host.add(plugin('three', () => {})))).toMatchObject({ code: 'stopped' })
  })

  it('does not wait for a plugin that still registers when it stops', async () => {
    const { host, clock } = openHost()
    const adding = failure(host.add(plugin('slow', () => new Promise(() => {}))))
    await clock.slept()
    await host.stop()
    expect(await adding).toMatchObject({ code: 'stopped' })
    expect(clock.sleeping).toEqual([])
  })
})

describe('the taps of a plugin', () => {
  const turn = { id: 't' as TurnId, lane: 'l', epoch: 1, signal: new AbortController().signal }

  it('are its own in the health, where the worst of them is its state', async () => {
    const { host, hooks } = openHost()
    await host.add(
      plugin('two-taps', (api) => {
        api.on('transformAnswer', () => 'ok')
        api.on('sessionStart', () => {
          throw new Error('broken')
        })
      }),
    )
    hooks.hooks.turnEnd.tap('raw', () => {})
    expect(await hooks.transformAnswer({ turn, text: 'x' })).toBe('ok')
    expect(host.plugins()).toMatchObject([
      { id: 'two-taps', state: 'registered' },
      { id: 'tapable:raw', state: 'registered' },
    ])
    await hooks.tell('sessionStart', { sessionKey: 'k', chat: { platform: 'p', kind: 'dm', chatId: '1', adapter: 'p' } })
    expect(host.plugins()[0]).toMatchObject({
      id: 'two-taps',
      state: 'degraded',
      hooks: [
        { hook: 'transformAnswer', state: 'ok' },
        { hook: 'sessionStart', state: 'degraded', lastError: { message: 'broken' } },
      ],
    })
  })

  it('leave with it, also when it failed to register', async () => {
    const { host, hooks } = openHost()
    const added = await host.add(plugin('guest', (api) => void api.on('transformAnswer', () => 'guest')))
    await failure(
      host.add(
        plugin('broken', (api) => {
          api.on('transformAnswer', () => 'broken')
          throw new Error('no')
        }),
      ),
    )
    expect(await hooks.transformAnswer({ turn, text: 'x' })).toBe('guest')
    added.dispose()
    await host.stop()
    expect(hooks.isTapped('transformAnswer')).toBe(false)
    expect([...hooks.health()]).toEqual([])
  })
})
