import { createHookBus } from '@hermes/core/testing'
import type { CallId, Hooks, TurnId } from '@hermes/plugin-sdk'
import { AsyncSeriesHook } from 'tapable'
import { median } from '../statistics.js'
import { textTable } from '../text-table.js'

const tapCounts = [0, 1, 20]
const batches = 200
const callsOfBatch = 500

type Payload = Hooks['postToolCall']['payload']
type Call = (payload: Payload) => unknown

/** One way to call a hook; `open` hangs so many taps onto a fresh one. */
interface Contender {
  readonly name: string
  open(taps: number): Call
}

let heard = 0
const tap = ({ durationMs }: Payload): void => void (heard += durationMs)

/** No isolation: the first tap that throws ends the call for all others. */
const raw: Contender = {
  name: 'raw tapable',
  open(taps) {
    const hook = new AsyncSeriesHook<[Payload]>(['payload'])
    for (let index = 0; index < taps; index++) hook.tap(`tap-${index}`, tap)
    return (payload) => hook.callAsync(payload, () => {})
  },
}

/** The least that keeps one tap's failure from the others: a try around each, and a wait only for promises. */
const guarded: Contender = {
  name: 'raw tapable, a try around each tap',
  open(taps) {
    const hook = new AsyncSeriesHook<[Payload]>(['payload'])
    const failed: unknown[] = []
    for (let index = 0; index < taps; index++) {
      hook.tapAsync(`tap-${index}`, (payload, next) => {
        let result: unknown
        try {
          result = tap(payload)
        } catch (error) {
          failed.push(error)
        }
        if (result instanceof Promise) void goOn(result, { failed, next })
        else next()
      })
    }
    return (payload) => hook.callAsync(payload, () => {})
  },
}

async function goOn(waiting: Promise<unknown>, { failed, next }: { readonly failed: unknown[]; readonly next: () => void }): Promise<void> {
  try {
    await waiting
  } catch (error) {
    failed.push(error)
  }
  next()
}

const silent = { debug() {}, info() {}, warn() {}, error() {} }

/** An observer and a hook that decides, as the stations of the gateway call them. */
const [told, decided]: readonly [Contender, Contender] = [
  { name: 'hermes, postToolCall (observers)', open: (taps) => openBus(taps, 'postToolCall') },
  { name: 'hermes, preToolCall (a verdict)', open: (taps) => openBus(taps, 'preToolCall') },
]

function openBus(taps: number, hook: 'postToolCall' | 'preToolCall'): Call {
  const clock = { now: () => Date.now(), random: () => Math.random(), sleep: () => new Promise<void>(() => {}) }
  const bus = createHookBus({ clock, logger: silent, redact: (text) => text, timeoutMs: 30_000 })
  for (let index = 0; index < taps; index++) bus.on(`plugin-${index}`, hook, { tap: tap as (payload: object) => void })
  return hook === 'postToolCall' ? (payload) => bus.tell('postToolCall', payload) : (payload) => bus.preToolCall(payload)
}

/** What a hook call costs whose taps do not go async. */
export function runHookBench(rounds: number): Promise<string> {
  const contenders = [raw, guarded, told, decided]
  const rows = tapCounts.map((taps) => measure(taps, contenders, rounds))
  const head = ['taps', ...contenders.map(({ name }) => name), 'observers / raw', 'observers / with a try']
  const body = rows.map(({ taps, micros }) => [
    String(taps),
    ...micros.map((each) => `${each.toFixed(3)} µs`),
    ratio(micros[2], micros[0]),
    ratio(micros[2], micros[1]),
  ])
  const perTap = contenders.map((_, index) => (((rows[2]?.micros[index] ?? 0) - (rows[1]?.micros[index] ?? 0)) / 19) * 1000)
  const note = `Each further tap costs ${perTap.map((nanos) => `${nanos.toFixed(0)} ns`).join(', ')} in that order.`
  return Promise.resolve(`${textTable([head, ...body])}\n\n${note}\n`)
}

/** Microseconds of a call for each contender, taken in turn: the median of its batches over all rounds. */
function measure(taps: number, contenders: readonly Contender[], rounds: number): { readonly taps: number; readonly micros: readonly number[] } {
  const calls = contenders.map((contender) => contender.open(taps))
  const times: number[][] = calls.map(() => [])
  const before = heard
  for (let batch = 0; batch < batches * rounds; batch++) {
    calls.forEach((call, index) => times[index]?.push(timeBatch(call)))
  }
  const expected = taps * contenders.length * batches * rounds * callsOfBatch
  if (heard - before !== expected) throw new Error(`${heard - before} taps were called, and ${expected} should have been`)
  return { taps, micros: times.map((each) => median(each.slice(each.length / 5))) }
}

function timeBatch(call: Call): number {
  const signal = new AbortController().signal
  const turn = { id: 'turn' as TurnId, lane: 'lane', epoch: 1, signal }
  const begun = performance.now()
  for (let index = 0; index < callsOfBatch; index++) {
    call({ turn, callId: 'call' as CallId, name: 'tool', input: {}, status: 'ok', parts: [], durationMs: 1 })
  }
  return ((performance.now() - begun) * 1000) / callsOfBatch
}

function ratio(ours: number | undefined, baseline: number | undefined): string {
  return ours === undefined || !baseline ? '-' : `${(ours / baseline).toFixed(1)}x`
}
