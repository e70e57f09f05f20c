import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { HookHealth } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { lateMisdeeds, latePlaces, type LateMisdeed } from './late-plugins.js'
import type { LateSettings } from './late-process.js'

const program = fileURLToPath(new URL('../dist/faults/late-process.js', import.meta.url))
const misdeeds = Object.keys(lateMisdeeds) as LateMisdeed[]

/** How a process ended, and what it said. */
interface Ending {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a scene in a process of its own. */
async function play(settings: LateSettings): Promise<Ending> {
  const ended = promisify(execFile)(process.execPath, [program, JSON.stringify(settings)])
  return ended.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ending) => error,
  )
}

/** What Node said of an error, without the calls that led to it: those are of the scene. */
function withoutFrames(stderr: string): string {
  return stderr.replaceAll(/^ +at .*\n/gm, '')
}

/** The report of a scene that ended well. */
async function reportOf<T>(settings: LateSettings): Promise<T> {
  const { code, stdout, stderr } = await play(settings)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

interface Everywhere {
  readonly answers: readonly string[]
  readonly adapter: string
  readonly places: readonly HookHealth[]
  readonly log: readonly string[]
  readonly listeners: { readonly before: readonly number[]; readonly after: readonly number[] }
}

describe('a plugin that', () => {
  it.each(misdeeds)('%s, wherever it is called, ends no process: all else works, and the health names each place and the reason', async (misdeed) => {
    const { answers, adapter, places, log, listeners } = await reportOf<Everywhere>({ scene: 'everywhere', misdeed })
    expect(answers).toEqual(['tool ran', 'command ran', expect.stringContaining('New conversation'), 'tool ran'])
    expect(adapter).toBe('connected')
    expect(places.map(({ hook }) => hook).toSorted()).toEqual([...latePlaces].toSorted())
    for (const place of places) {
      expect(place).toMatchObject({ state: 'degraded', lastError: { message: expect.stringMatching(lateMisdeeds[misdeed].reason) } })
    }
    expect(log.filter((line) => line.includes('nobody waited for it') && line.includes('"plugin":"late"')).length).toBeGreaterThan(latePlaces.length)
    expect(listeners.after).toEqual(listeners.before)
  })

  it('forgets to handle what the house refuses it is named as well', async () => {
    const { places } = await reportOf<Everywhere>({ scene: 'forgotten promise', misdeed: 'rejects later' })
    expect(places).toEqual([
      expect.objectContaining({
        hook: 'command:late',
        failures: 1,
        lastError: expect.objectContaining({ message: expect.stringContaining('messages.send') }),
      }),
    ])
  })
})

describe('what is not caught of the application', () => {
  it.each(misdeeds)('ends the process exactly as it would without a gateway: %s', async (misdeed) => {
    const [alone, beside] = await Promise.all([play({ scene: 'alone', misdeed }), play({ scene: 'beside', misdeed })])
    expect(alone.code).toBeGreaterThan(0)
    expect({ code: beside.code, stdout: beside.stdout, stderr: withoutFrames(beside.stderr) }).toEqual({
      code: alone.code,
      stdout: '',
      stderr: withoutFrames(alone.stderr),
    })
  })

  it.each(['throws in a timer', 'rejects later'] as const)('ends the process also in a turn that a plugin began: %s', async (misdeed) => {
    const { code, stdout, stderr } = await play({ scene: 'in a turn', misdeed })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/thrown in a timer|rejected later/)
  })
})

it.each([
  ['throws in a timer', 'uncaughtException'],
  ['rejects later', 'unhandledRejection'],
] as const)(
  'leaves handlers of the application what they had: a plugin that %s is heard by them, and named in the health',
  async (misdeed, event) => {
    const { ofApplication, ofPlugin, places, listeners } = await reportOf<Everywhere & { ofApplication: string[]; ofPlugin: string[] }>({
      scene: 'own handlers',
      misdeed,
    })
    expect([ofApplication, ofPlugin]).toEqual([[event], [event]])
    expect(places).toEqual([expect.objectContaining({ hook: 'command:late', failures: 1 })])
    expect(listeners.after).toEqual(listeners.before)
  },
)

it('serves several gateways in one process, and leaves nothing behind the last one', async () => {
  const { counted, listeners } = await reportOf<Everywhere & { counted: number[] }>({ scene: 'two gateways', misdeed: 'throws in a timer' })
  expect(counted).toEqual([1])
  expect(listeners.after).toEqual(listeners.before)
})

it('gives the process back to the application when the gateway has stopped', async () => {
  const { code, stdout, stderr } = await play({ scene: 'after the end', misdeed: 'throws in a timer' })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('thrown in a timer')
})
