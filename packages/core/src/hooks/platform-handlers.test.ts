import { definePlugin, type ChatCapabilities, type HostApi, type Plugin } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { createRedactor } from '../kernel/index.js'
import { FakeClock } from '../testing/index.js'
import { noServices } from './hook-rig.js'
import { createHookBus, createPluginHost } from './index.js'

const capabilities = (): ChatCapabilities => ({ text: { limit: 10, unit: 'utf16', dialect: 'plain' } })
const adapter = { name: 'first', platform: 'made-up', capabilities }

function openHost() {
  const clock = new FakeClock()
  const lines: { level: string; fields: object; message: string }[] = []
  const log = (level: string) => (fields: object, message: string) => void lines.push({ level, fields, message })
  const logger = { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') }
  const redactor = createRedactor()
  const hooks = createHookBus({ clock, logger, redact: redactor.redact, timeoutMs: 30_000 })
  const host = createPluginHost({ clock, logger, redactor, hooks, services: noServices })
  const health = (id: string) => host.plugins().find((plugin) => plugin.id === id)?.hooks
  return { clock, lines, host, health }
}

const plugin = (id: string, register: (api: HostApi) => void): Plugin => definePlugin({ id, register })
const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a platform handler', () => {
  // plugins 15
  it('that throws stops neither the connect nor the next one, and is named in the health', async () => {
    const { host, health, lines } = openHost()
    const ran: string[] = []
    await host.add(
      plugin('broken', (api) => {
        api.registerPlatformHandler('made-up', () => {
          throw new Error('no')
        })
      }),
    )
    await host.add(plugin('sound', (api) => void api.registerPlatformHandler('made-up', (native) => void ran.push(String(native)))))
    await host.wiring(adapter).wire('native')
    expect(ran).toEqual(['native'])
    expect(health('broken')).toEqual([expect.objectContaining({ hook: 'platformHandler:made-up', state: 'degraded', failures: 1 })])
    expect(health('sound')).toEqual([expect.objectContaining({ state: 'ok', calls: 1, failures: 0 })])
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', fields: expect.objectContaining({ plugin: 'broken' }) }))
  })

  it.each([
    ['null', null],
    ['a getter that throws', Object.defineProperty({}, 'message', { get: () => expect.unreachable() })],
    ['nothing', undefined],
  ])('may throw %s', async (_name, thrown) => {
    const { host, health } = openHost()
    await host.add(
      plugin('odd', (api) => {
        api.registerPlatformHandler('made-up', () => {
          throw thrown
        })
      }),
    )
    await host.wiring(adapter).wire({})
    expect(health('odd')?.[0]).toMatchObject({ failures: 1 })
  })

  it('that answers with something that is no undo has failed', async () => {
    const { host, health } = openHost()
    await host.add(plugin('odd', (api) => void api.registerPlatformHandler('made-up', (() => 42) as unknown as () => void)))
    await host.wiring(adapter).wire({})
    expect(health('odd')?.[0]).toMatchObject({ failures: 1, lastError: { message: expect.stringContaining('undo') } })
  })

  // plugins 16
  it('that never ends is given up after 5 s, and counted as a time-out', async () => {
    const { host, clock, health } = openHost()
    await host.add(plugin('stuck', (api) => void api.registerPlatformHandler('made-up', () => new Promise<void>(() => {}))))
    const wired = host.wiring(adapter).wire({})
    await soon()
    await clock.advance(5000)
    await wired
    expect(health('stuck')?.[0]).toMatchObject({ timeouts: 1, failures: 1 })
  })

  it('holds a connect up for 15 s at most, however many hang; the others are wired beside the connection', async () => {
    const { host, clock, health } = openHost()
    for (let index = 0; index < 5; index++)
      await host.add(plugin(`stuck-${index}`, (api) => void api.registerPlatformHandler('made-up', () => new Promise<void>(() => {}))))
    await host.add(plugin('last', (api) => void api.registerPlatformHandler('made-up', () => {})))
    let isConnected = false
    const wired = host
      .wiring(adapter)
      .wire({})
      .then(() => (isConnected = true))
    for (let passed = 0; passed < 15_000; passed += 5000) {
      expect(isConnected).toBe(false)
      await soon()
      await clock.advance(5000)
    }
    await wired
    expect(health('last')?.[0]).toMatchObject({ calls: 0 })
    for (let left = 0; left < 2; left++) {
      await soon()
      await clock.advance(5000)
    }
    await soon()
    expect(health('last')?.[0]).toMatchObject({ calls: 1 })
  })

  // plugins 17
  it('runs once per native object, also over reconnects, and again for a rebuilt one', async () => {
    const { host } = openHost()
    const seen: unknown[] = []
    await host.add(plugin('one', (api) => void api.registerPlatformHandler('made-up', (native) => void seen.push(native))))
    const [first, second] = [{ native: 1 }, { native: 2 }]
    const wiring = host.wiring(adapter)
    await wiring.wire(first)
    await wiring.wire(first)
    await wiring.end()
    const next = host.wiring(adapter)
    await next.wire(first)
    expect(seen).toEqual([first])
    await next.wire(second)
    expect(seen).toEqual([first, second])
  })

  // plugins 20
  it('of a plugin that comes late gets the live native, and the others do not get it again', async () => {
    const { host } = openHost()
    const seen: string[] = []
    await host.add(plugin('early', (api) => void api.registerPlatformHandler('made-up', () => void seen.push('early'))))
    await host.wiring(adapter).wire({})
    await host.add(plugin('late', (api) => void api.registerPlatformHandler('made-up', () => void seen.push('late'))))
    await soon()
    expect(seen).toEqual(['early', 'late'])
  })

  // plugins 21
  it('of registerTelegramHandler is one of the platform telegram', async () => {
    const { host } = openHost()
    const seen: unknown[] = []
    await host.add(plugin('alias', (api) => void api.registerTelegramHandler((bot, view) => void seen.push([bot, view.name]))))
    const bot = {}
    await host.wiring({ ...adapter, platform: 'telegram' }).wire(bot)
    await host.wiring(adapter).wire({})
    expect(seen).toEqual([[bot, 'first']])
  })

  it('is undone when its plugin leaves, and not wired any more', async () => {
    const { host } = openHost()
    const steps: string[] = []
    const added = await host.add(
      plugin('tidy', (api) => {
        api.registerPlatformHandler('made-up', () => {
          steps.push('wired')
          return () => void steps.push('undone')
        })
      }),
    )
    const wiring = host.wiring(adapter)
    await wiring.wire({})
    added.dispose()
    await soon()
    await wiring.wire({})
    await wiring.end()
    expect(steps).toEqual(['wired', 'undone'])
  })

  it('is undone when the connection ends, also by an undo that comes too late, and whatever other undo functions do', async () => {
    const { host, clock } = openHost()
    const undone: string[] = []
    let answer = (_undo: () => void): void => {}
    await host.add(
      plugin('several', (api) => {
        api.registerPlatformHandler('made-up', () => () => void undone.push('good'))
        api.registerPlatformHandler('made-up', () => () => {
          throw new Error('no')
        })
        api.registerPlatformHandler('made-up', () => new Promise<() => void>((resolve) => (answer = resolve)))
      }),
    )
    const wiring = host.wiring(adapter)
    const wired = wiring.wire({})
    await soon()
    await clock.advance(5000)
    await wired
    await wiring.end()
    expect(undone).toEqual(['good'])
    answer(() => undone.push('late'))
    await soon()
    expect(undone).toEqual(['good', 'late'])
  })

  it('is refused without a platform or a function, and beyond 64 of one plugin', async () => {
    const { host } = openHost()
    const errors: unknown[] = []
    await host.add(
      plugin('eager', (api) => {
        const attempt = (...wrong: unknown[]): void => {
          try {
            ;(api.registerPlatformHandler as (...args: unknown[]) => unknown)(...wrong)
          } catch (error) {
            errors.push(error)
          }
        }
        attempt('  ', () => {})
        attempt('made-up', 'no function')
        for (let index = 0; index < 10_000; index++) attempt('made-up', () => {})
      }),
    )
    expect(errors).toHaveLength(2 + 10_000 - 64)
    expect(errors[0]).toMatchObject({ code: 'value.invalid', message: expect.stringContaining('name') })
    expect(errors.at(-1)).toMatchObject({ code: 'value.invalid', message: expect.stringContaining('64') })
  })
})
