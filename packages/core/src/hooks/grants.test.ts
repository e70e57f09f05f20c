import { definePlugin, type Grant, type HermesError, type HostApi, type Plugin, type Tool } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { createGateway } from '../gateway/index.js'
import { createRedactor } from '../kernel/index.js'
import { FakeClock } from '../testing/fake-clock.js'
import { noServices } from './hook-rig.js'
import { createHookBus, createPluginHost, grant } from './index.js'

const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

function openHost() {
  const clock = new FakeClock()
  const redactor = createRedactor()
  const hooks = createHookBus({ clock, logger, redact: redactor.redact, timeoutMs: 30_000 })
  return createPluginHost({ clock, logger, redactor, hooks, services: noServices })
}

const tool = (name: string, description: string): Tool => ({ name, description, input: { type: 'object' }, run: () => 'ok' })
const bringing = (id: string, grants: readonly Grant[] = []): Plugin =>
  definePlugin({ id, grants, register: (host) => void host.registerTool(tool('look', id)) })
const overriding = (id: string) => grant(bringing(id, ['tools.override']), ['tools.override'])
const failure = async (promise: Promise<unknown>): Promise<HermesError> =>
  promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as HermesError,
  )
const refusal = (act: () => unknown): HermesError => {
  try {
    act()
  } catch (error) {
    return error as HermesError
  }
  return expect.unreachable()
}

describe('a plugin that asks for a grant', () => {
  it('makes createGateway refuse with the line that gives it, until it is given', () => {
    const agent = { name: 'none', run: async function* () {} }
    const plugin = bringing('eager', ['tools.override'])
    const error = refusal(() => createGateway({ agent, plugins: [plugin] } as never))
    expect(error).toMatchObject({ code: 'options.invalid', detail: { issues: [{ path: 'plugins.0' }] } })
    expect(error.message).toContain("grant(<the plugin eager>, ['tools.override'])")
    createGateway({ agent, plugins: [grant(plugin, ['tools.override'])] } as never)
  })

  it('is refused when it comes later without it', async () => {
    const host = openHost()
    const error = await failure(host.add(bringing('eager', ['tools.override'])))
    expect(error).toMatchObject({ code: 'grant.missing', detail: { pluginId: 'eager', grant: 'tools.override' } })
    expect(host.plugins()).toEqual([])
  })

  it('is told what it was given', async () => {
    const host = openHost()
    const can: boolean[] = []
    const ask = (api: HostApi): void => void can.push(api.can('tools.override'))
    await host.add(definePlugin({ id: 'plain', register: ask }))
    await host.add(grant(definePlugin({ id: 'trusted', grants: ['tools.override'], register: ask }), ['tools.override']))
    expect(can).toEqual([false, true])
  })

  it('cannot be given what it does not ask for, nor what is no grant', () => {
    expect(refusal(() => grant(bringing('plain'), ['tools.override']))).toMatchObject({ code: 'value.invalid' })
    expect(refusal(() => grant(bringing('plain'), ['root' as Grant])).message).toContain('root is no grant')
  })
})

describe('a tool whose name another plugin has', () => {
  // plugins 11, 12
  it('is refused without the grant to replace it, and the first one stays', async () => {
    const host = openHost()
    await host.add(bringing('first'))
    const error = await failure(host.add(bringing('second')))
    expect(error).toMatchObject({ code: 'plugin.failed', cause: { code: 'name.taken', detail: { owner: 'first' } } })
    expect(error.message).toContain('tools.override')
    expect(host.tools().map(({ description }) => description)).toEqual(['first'])
  })

  // plugins 14
  it('takes its place with the grant, and gives it back when its plugin leaves', async () => {
    const host = openHost()
    await host.add(bringing('first'))
    const second = await host.add(overriding('second'))
    expect(host.tools().map(({ description }) => description)).toEqual(['second'])
    second.dispose()
    await host.add(definePlugin({ id: 'second', register: () => {} }))
    expect(host.tools().map(({ description }) => description)).toEqual(['first'])
  })

  it('stays in place when a plugin leaves whose tool is replaced, and nothing comes back behind it', async () => {
    const host = openHost()
    const first = await host.add(bringing('first'))
    const second = await host.add(overriding('second'))
    const third = await host.add(overriding('third'))
    second.dispose()
    first.dispose()
    for (const id of ['first', 'second']) await host.add(definePlugin({ id, register: () => {} }))
    expect(host.tools().map(({ description }) => description)).toEqual(['third'])
    third.dispose()
    await host.stop()
    expect(host.tools()).toEqual([])
  })

  it('cannot be replaced by the plugin that brought it', async () => {
    const host = openHost()
    const twice = definePlugin({
      id: 'twice',
      grants: ['tools.override'],
      register(api) {
        api.registerTool(tool('look', 'one'))
        api.registerTool(tool('look', 'two'))
      },
    })
    expect(await failure(host.add(grant(twice, ['tools.override'])))).toMatchObject({ cause: { code: 'name.taken', detail: { owner: 'twice' } } })
  })
})

describe('a command whose name hermes or another plugin has', () => {
  // plugins 13
  it('is refused, whatever the plugin was granted', async () => {
    const host = openHost()
    const command = { name: 'rain', description: 'A command.', run: () => 'ok' }
    await host.add(definePlugin({ id: 'first', register: (api) => void api.registerCommand(command) }))
    const second = definePlugin({ id: 'second', grants: ['tools.override'], register: (api) => void api.registerCommand(command) })
    expect(await failure(host.add(grant(second, ['tools.override'])))).toMatchObject({ cause: { code: 'name.taken', detail: { owner: 'first' } } })
  })
})
