import { HermesError, hideSecret, type Logger } from '@hermes/plugin-sdk'
import { describe, expect, it } from 'vitest'
import { createLogger, createRedactor, findSecrets, loggerFor, redactError } from './index.js'

const token = '123456:planted-token'

function openLog(level: 'debug' | 'info' = 'debug'): { logger: Logger; lines: string[]; last: () => Record<string, unknown> } {
  const lines: string[] = []
  const redactor = createRedactor()
  redactor.add(hideSecret(token))
  const logger = createLogger({ redactor, level, destination: { write: (line) => lines.push(line) } })
  return { logger, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> }
}

describe('the logger', () => {
  it('writes one line of JSON with level, time, fields and message', () => {
    const { logger, last } = openLog()
    logger.info({ chat: '7', count: 3 }, 'Something happened.')
    expect(last()).toMatchObject({ level: 'info', time: expect.stringMatching(/^\d{4}-/), chat: '7', count: 3, msg: 'Something happened.' })
  })

  it('leaves out what is below its level, and does not look at it', () => {
    const { logger, lines } = openLog('info')
    let looks = 0
    const fields = {
      get costly() {
        return looks++
      },
    }
    logger.debug(fields, 'quiet')
    expect(lines).toEqual([])
    expect(looks).toBe(0)
  })

  it('takes secrets out of messages, names, values and errors, also in their causes and extras', () => {
    const { logger, lines } = openLog()
    const cause = Object.assign(new Error(`connect https://api/bot${token}/getMe`), { url: new URL(`https://api/bot${token}/x`) })
    logger.error({ error: new Error(`broke: ${token}`, { cause }), [token]: [token], secret: hideSecret(token) }, `with ${token}`)
    expect(lines.join('')).not.toContain('planted')
  })

  it('shows an error with its code, causes and extras, without the traffic that clients hang onto it', () => {
    const { logger, last } = openLog()
    const error = Object.assign(new HermesError('stopped', 'It is closed.', { what: 'store' }, { cause: new TypeError('why') }), {
      status: 401,
      requestBodyValues: { messages: ['private words'] },
      responseHeaders: { 'x-key': 'private' },
    })
    logger.error({ error }, 'failed')
    expect(last().error).toMatchObject({
      name: 'HermesError',
      code: 'stopped',
      detail: { what: 'store' },
      status: 401,
      cause: { name: 'TypeError', message: 'why' },
    })
    expect(JSON.stringify(last())).not.toContain('private')
  })

  it('hides members that are credentials by their name, though nobody told their value', () => {
    const { logger, lines } = openLog()
    logger.warn({ headers: { Authorization: 'Bearer sk-unknown', cookie: 'unknown-cookie' }, apiKey: 'unknown-key', tokens: 12 }, 'x')
    expect(lines.join('')).not.toContain('unknown')
    expect(lines.join('')).toContain('"tokens":12')
  })

  it('bounds depth, width and length', () => {
    const { logger, last } = openLog()
    const deep = { a: { b: { c: { d: { e: 1 } } } } }
    logger.info({ deep, long: 'x'.repeat(10_000), wide: Array.from({ length: 80 }, (_, index) => index) }, 'x')
    const line = last()
    expect(line.deep).toEqual({ a: { b: { c: '[object]' } } })
    expect(String(line.long).length).toBeLessThan(4200)
    expect((line.wide as unknown[]).length).toBe(51)
  })

  it('bounds how much of a value it looks at, however wide each of its levels is', () => {
    const { logger, lines } = openLog()
    let looks = 0
    const leaf = {
      get costly() {
        return looks++
      },
    }
    let tree: unknown = leaf
    for (let level = 0; level < 3; level++) {
      const inner = tree
      tree = Array.from({ length: 50 }, () => inner)
    }
    logger.info({ tree, after: 'still there' }, 'x')
    expect(looks).toBeLessThanOrEqual(1000)
    expect(lines[0]?.length).toBeLessThan(20_000)
    expect(lines[0]).toContain('still there')
  })

  it('survives cycles, throwing getters, hostile proxies, odd values and a broken destination', () => {
    const { logger, lines, last } = openLog()
    const cycle: Record<string, unknown> = { big: 1n, when: new Date(Number.NaN), bytes: new Uint8Array(3), call: () => 1, not: Number.NaN }
    cycle.self = cycle
    Object.defineProperty(cycle, 'broken', {
      enumerable: true,
      get: () => {
        throw new Error('no')
      },
    })
    logger.info(cycle, 'odd')
    expect(last()).toMatchObject({ big: '1', when: 'Invalid Date', bytes: '[3 bytes]', broken: '[unreadable]', not: 'NaN' })
    logger.info(
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
      'proxy',
    )
    logger.info(null as unknown as object, undefined as unknown as string)
    loggerFor(logger, { adapter: 'a' }).info(cycle, 'owned')
    expect(lines).toHaveLength(3)
    const broken = createLogger({
      redactor: createRedactor(),
      destination: {
        write: () => {
          throw new Error('disk full')
        },
      },
    })
    expect(() => broken.error({}, 'lost')).not.toThrow()
  })

  it('says on every line whose it is', () => {
    const { logger, last } = openLog()
    loggerFor(loggerFor(logger, { plugin: 'reactions' }), { tool: 'weather' }).warn({ city: 'Bern' }, 'x')
    expect(last()).toMatchObject({ plugin: 'reactions', tool: 'weather', city: 'Bern' })
    loggerFor(logger, { plugin: 'reactions' }).error(new Error('bare'), 'x')
    expect(last()).toMatchObject({ plugin: 'reactions', error: { message: 'bare' } })
  })
})

describe('findSecrets', () => {
  it('finds secrets in nested options and looks into no foreign object', () => {
    class Client {
      readonly key = hideSecret('not found')
    }
    const nested = { a: hideSecret('one'), list: [{ b: hideSecret('two') }], client: new Client() }
    const options = { ...nested, self: nested }
    expect(new Set(findSecrets(options).map((secret) => secret.reveal()))).toEqual(new Set(['one', 'two']))
  })
})

describe('redactError', () => {
  const redactor = createRedactor()
  redactor.add(hideSecret(token))
  const { redact } = redactor

  it('copies a foreign error without secrets, with its causes and without extras', () => {
    const error = Object.assign(new TypeError(`at ${token}`, { cause: new Error(`cause ${token}`) }), { code: 'EX', request: token })
    const copy = redactError(error, redact)
    expect(copy).toMatchObject({ name: 'TypeError', code: 'EX', message: 'at [secret]', cause: { message: 'cause [secret]' } })
    expect(`${copy.stack}${JSON.stringify(copy)}`).not.toContain('planted')
  })

  it('keeps an error of ours in which no secret stands', () => {
    const error = new HermesError('stopped', 'It is closed.', { what: 'store' })
    expect(redactError(error, redact)).toBe(error)
    expect(redactError('text', redact).message).toContain('text')
  })

  it('does not throw, whatever was thrown', () => {
    const refuse = (): never => {
      throw new Error('no')
    }
    const unreadable = Object.defineProperty(new Error('x'), 'message', { get: refuse })
    const proxied = new Proxy({}, { get: refuse, getPrototypeOf: refuse })
    for (const error of [unreadable, proxied]) expect(redactError(error, redact).message).toBe('Something that cannot be read was thrown.')
  })
})
