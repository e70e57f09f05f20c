import { describe, expect, it } from 'vitest'
import type { Logger } from '@hermes/plugin-sdk'
import { FakeClock, ScriptedModel, type Script } from '../testing/index.js'
import { createAgent, type AgentOptions } from './index.js'
import { eventsOf, linesOf, RecordingJournal } from './recorded-turns.js'

/** A run whose waits the test lets pass as they come: their lengths, its events, what came of it. */
async function retried(script: Script, options: Partial<AgentOptions> = {}, random = () => 0) {
  const clock = new FakeClock({ random })
  const model = new ScriptedModel(script)
  const journal = new RecordingJournal()
  const run = createAgent({ model, ...options }).stream({ messages: 'go', clock, journal })
  const waits: number[] = []
  void passWaits(clock, waits)
  const result = await run.result
  return { waits, model, journal, events: await eventsOf(run), ...result }
}

async function passWaits(clock: FakeClock, waits: number[]): Promise<never> {
  for (;;) {
    const ms = await clock.slept()
    waits.push(ms)
    await clock.advance(ms)
  }
}

const failing = (status: number, more = {}) => [{ error: { status, ...more } }]

describe('a model call that fails', () => {
  // engine 9
  it('waits as long as Retry-After says after a 429, and is made again: one answer, two calls', async () => {
    const { waits, model, outcome, messages, events } = await retried([failing(429, { headers: { 'Retry-After': '3' } }), 'done'])
    expect(waits).toEqual([3_000])
    expect(model.calls).toHaveLength(2)
    expect(outcome).toMatchObject({ status: 'completed', text: 'done', steps: 1 })
    expect(linesOf(messages)).toEqual(['user go', 'assistant done'])
    expect(events.find((event) => event.type === 'retry-wait')).toMatchObject({
      attempt: 1,
      delayMs: 3_000,
      failure: { reason: 'rate-limit', status: 429 },
    })
  })

  it.each([
    ['an HTTP date', new Date(Date.UTC(2026, 0, 1) + 5_000).toUTCString(), 5_000],
    ['a date that has passed', new Date(0).toUTCString(), 0],
    ['a negative number', '-3', 0],
    ['nonsense', 'soon', 2_000],
  ])('takes Retry-After as %s', async (_what, value, wait) => {
    expect((await retried([failing(503, { headers: { 'retry-after': value } }), 'done'])).waits).toEqual([wait])
  })

  it('gives up where the server asks for more than the longest wait', async () => {
    const { waits, outcome } = await retried([failing(429, { headers: { 'retry-after': '3600' } })])
    expect(waits).toEqual([])
    expect(outcome).toMatchObject({ status: 'failed', failure: { reason: 'rate-limit', retryAfterMs: 3_600_000 } })
  })

  it('doubles its waits, with jitter of up to half, up to the longest', async () => {
    const plain = await retried((_call, index) => (index < 4 ? failing(500) : 'done'), { retry: { attempts: 5, baseMs: 1_000, maxMs: 3_000 } })
    const jittered = await retried(
      (_call, index) => (index < 1 ? failing(500) : 'done'),
      {},
      () => 0.5,
    )
    expect(plain.waits).toEqual([1_000, 2_000, 3_000, 3_000])
    expect(jittered.waits).toEqual([2_500])
  })

  it('is made again after a 404 that names no model, as of a proxy', async () => {
    const { model, outcome } = await retried([failing(404), 'done'])
    expect(model.calls).toHaveLength(2)
    expect(outcome.text).toBe('done')
  })

  it('fails after three attempts', async () => {
    const { model, outcome, journal } = await retried(() => failing(503))
    expect(model.calls).toHaveLength(3)
    expect(outcome).toMatchObject({ status: 'failed', text: '', failure: { reason: 'overloaded', status: 503 }, steps: 1 })
    expect(journal.writes).toEqual(['message user', 'end failed'])
  })

  it.each([
    [400, 'context-overflow', { message: 'This model has a maximum context length of 8192 tokens' }],
    [400, 'format-error', { message: 'Unsupported parameter: max_tokens exceeds the context length' }],
    [401, 'auth', {}],
    [402, 'billing', {}],
    [404, 'model-not-found', { message: 'The model does not exist' }],
    [413, 'payload-too-large', {}],
    [400, 'content-policy', { message: 'Flagged by our content policy' }],
    [404, 'policy-blocked', { message: 'No endpoints matching your data policy' }],
    [422, 'format-error', {}],
  ] as const)('is not made again after a %i of kind %s', async (status, reason, more) => {
    const { model, outcome } = await retried(() => failing(status, more))
    expect(model.calls).toHaveLength(1)
    expect(outcome.failure).toMatchObject({ reason, status })
  })

  // engine-api R1
  it.each([
    ['an error part inside a stream', [{ text: 'half' }, { error: { status: 529 } }], 'overloaded'],
    ['a stream that ends without its end', [{ text: 'half' }, { cut: true }], 'timeout'],
    ['a stream that ends without an answer', [{ cut: true }], 'empty-response'],
    ['an answer that ended in error', [{ text: 'half' }, { finish: 'error' }], 'server-error'],
  ] as const)('is made again after %s, and nothing of it is kept', async (_what, steps, reason) => {
    const { messages, events } = await retried([steps as never, 'whole'])
    expect(linesOf(messages)).toEqual(['user go', 'assistant whole'])
    expect(events.find((event) => event.type === 'retry-wait')).toMatchObject({ failure: { reason } })
    expect(events.filter((event) => event.type === 'step-start')).toHaveLength(2)
  })

  it('tells neither keys nor headers nor bodies, in events, outcome or log', async () => {
    const key = 'sk-planted-0123456789'
    const lines: string[] = []
    const log = (fields: object, message: string) => void lines.push(JSON.stringify(fields) + message)
    const logger: Logger = { debug: log, info: log, warn: log, error: log }
    const model = new ScriptedModel(() =>
      failing(401, { message: `Incorrect API key provided: ${key}`, body: `body ${key}`, headers: { 'x-key': key } }),
    )
    const run = createAgent({ model }).stream({ messages: 'go', logger })
    const { outcome } = await run.result
    const told = JSON.stringify([await eventsOf(run), outcome, lines])
    expect(outcome.failure?.message).toBe('Incorrect API key provided: sk-[hidden]')
    expect(lines).toHaveLength(1)
    expect(told).not.toContain('planted')
  })
})
