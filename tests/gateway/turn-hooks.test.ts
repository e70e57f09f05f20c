import { createAgent } from '@hermes/core'
import { FakeClock, ScriptedModel } from '@hermes/core/testing'
import { definePlugin, defineTool, type AgentRuntime, type Hooks, type HostApi, type Logger, type Plugin } from '@hermes/plugin-sdk'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PaperHouses, type PaperHouse } from './paper-house.js'
import { until } from './paper-platform.js'
import { startTestBot } from './test-bot.js'

const houses = new PaperHouses()
afterEach(() => houses.close())
afterAll(() => houses.dispose())

const tapping = (id: string, register: (host: HostApi) => void): Plugin => definePlugin({ id, register })

/** A tool that keeps what it was called with. */
function adder() {
  const inputs: unknown[] = []
  const add = defineTool({
    name: 'add',
    description: 'Adds two numbers.',
    input: z.object({ x: z.number(), y: z.number().default(0) }),
    run(input) {
      inputs.push(input)
      return `sum ${input.x + input.y}`
    },
  })
  return { plugin: tapping('tools', (host) => void host.registerTool(add)), inputs }
}

const callsAdd = (): ScriptedModel => ScriptedModel.toolThenAnswer({ name: 'add', input: { x: 1 } })

/** Somebody writes, and reads what is answered. */
async function ask({ paper }: PaperHouse, text: string): Promise<string | undefined> {
  const before = paper.answers('1').length
  await paper.say('1', text)
  await until(() => paper.answers('1').length > before, `an answer to ${text}`)
  return paper.answers('1').at(-1)
}

/** What the model was sent, one line a message. */
function sent({ model }: Pick<PaperHouse, 'model'>, call: number): readonly string[] {
  return (model.calls[call]?.prompt ?? []).map((message) => {
    if (message.role === 'system') return `system ${message.content}`
    const parts = message.content.map((part) => {
      if (part.type === 'text') return part.text
      return part.type === 'tool-call' ? `${part.toolName}()` : part.type
    })
    return `${message.role} ${parts.join(' | ')}`
  })
}

describe('preToolCall', () => {
  // plugins 24
  it('blocks where one plugin wants approval and another a block, with the words of the block', async () => {
    const { plugin, inputs } = adder()
    const careful = tapping('careful', (host) => void host.on('preToolCall', () => ({ action: 'approve', message: 'Really?' })))
    const strict = tapping('strict', (host) => void host.on('preToolCall', async () => ({ action: 'block', message: 'No sums today.' })))
    const house = await houses.open({ model: callsAdd(), plugins: [plugin, careful, strict] })
    expect(await ask(house, 'add')).toBe('No sums today.')
    expect(inputs).toEqual([])
  })

  // plugins 25
  it('changes the input by what all plugins say, later ones last', async () => {
    const { plugin, inputs } = adder()
    const first = tapping('first', (host) => void host.on('preToolCall', () => ({ action: 'modify', input: { x: 2 } })))
    const second = tapping('second', (host) => void host.on('preToolCall', ({ input }) => ({ action: 'modify', input: { y: Number(input.x) + 1 } })))
    const house = await houses.open({ model: callsAdd(), plugins: [plugin, first, second] })
    expect(await ask(house, 'add')).toBe('sum 5')
    expect(inputs).toEqual([{ x: 2, y: 3 }])
  })

  it('lets no changed input run that the schema of the tool refuses', async () => {
    const { plugin, inputs } = adder()
    const wrong = tapping('wrong', (host) => void host.on('preToolCall', () => ({ action: 'modify', input: { x: 'two' } })))
    const house = await houses.open({ model: callsAdd(), plugins: [plugin, wrong] })
    expect(await ask(house, 'add')).toContain('Invalid input for add')
    expect(inputs).toEqual([])
  })

  it('takes silence for no where it wants a person to be asked, and nobody is there', async () => {
    const { plugin, inputs } = adder()
    const careful = tapping('careful', (host) => void host.on('preToolCall', () => ({ action: 'approve' })))
    const house = await houses.open({ model: callsAdd(), plugins: [plugin, careful] })
    expect(await ask(house, 'add')).toContain('needs the approval of a person')
    expect(inputs).toEqual([])
  })

  // plugins 26
  it('blocks the call where a tap throws, and names it', async () => {
    const { plugin, inputs } = adder()
    const broken = tapping('broken', (host) => void host.on('preToolCall', () => fail('no policy')))
    const house = await houses.open({ model: callsAdd(), plugins: [plugin, broken] })
    expect(await ask(house, 'add')).toMatch(/preToolCall of broken.*no policy/)
    expect(inputs).toEqual([])
  })

  // plugins 26
  it('blocks the call where a tap hangs, and for 60 s without asking it again', async () => {
    const { plugin, inputs } = adder()
    let asked = 0
    const hanging = tapping('hanging', (host) => void host.on('preToolCall', () => (asked++ === 0 ? new Promise(() => {}) : undefined)))
    const clock = new FakeClock()
    const house = await houses.open({ model: callsAdd(), plugins: [plugin, hanging], options: { clock } })
    const first = ask(house, 'add')
    await until(() => asked === 1)
    await clock.advance(30_000)
    expect(await first).toContain('preToolCall of hanging')
    await clock.advance(59_000)
    expect(await ask(house, 'add')).toContain('preToolCall of hanging')
    expect({ asked, inputs }).toEqual({ asked: 1, inputs: [] })
    await clock.advance(1_000)
    expect(await ask(house, 'add')).toBe('sum 1')
    expect(asked).toBe(2)
  })
})

describe('postToolCall', () => {
  // plugins 27
  it('that throws a hundred times alike is warned of once, and every call succeeds', async () => {
    const { plugin, inputs } = adder()
    const log: string[] = []
    const write = (level: string) => (_fields: object, message: string) => void log.push(`${level} ${message}`)
    const logger: Logger = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
    const broken = tapping('broken', (host) => void host.on('postToolCall', () => fail('no disk')))
    const calls = Array.from({ length: 100 }, (_, x) => ({ toolCall: { name: 'add', input: { x } } }))
    const model = new ScriptedModel([calls, 'done'])
    const house = await houses.open({ model, plugins: [plugin, broken], options: { logger } })
    expect(await ask(house, 'add')).toBe('done')
    expect(inputs).toHaveLength(100)
    expect(log.filter((line) => line === 'warn Code of a plugin failed.')).toHaveLength(1)
    expect(log.filter((line) => line === 'debug Code of a plugin failed.')).toHaveLength(99)
  })

  it('hears of calls that ran, and of those that did not', async () => {
    const { plugin } = adder()
    const heard: Hooks['postToolCall']['payload'][] = []
    const listener = tapping('listener', (host) => void host.on('postToolCall', (call) => void heard.push(call)))
    const model = new ScriptedModel([
      [{ toolCall: { name: 'add', input: { x: 1 } } }, { toolCall: { name: 'add', input: { x: 'one' } } }, { toolCall: { name: 'sub', input: {} } }],
      'done',
    ])
    const house = await houses.open({ model, plugins: [plugin, listener] })
    await ask(house, 'add')
    expect(heard.map(({ name, input, status }) => `${name} ${JSON.stringify(input)} ${status}`).toSorted()).toEqual([
      'add {"x":"one"} error',
      'add {"x":1} ok',
      'sub {} error',
    ])
    expect(heard[0]?.turn.chat).toMatchObject({ platform: 'paper', chatId: '1' })
  })
})

describe('transformToolResult', () => {
  it('says what the model reads of a result, and the pictures stay', async () => {
    const photo = defineTool({
      name: 'photo',
      description: 'Takes a picture.',
      input: z.object({}),
      async run(_input, { media }) {
        return {
          parts: [
            { type: 'text', text: 'password: hunter2' },
            { type: 'media', media: await media.put(new Uint8Array([1]), 'image/png') },
          ],
        }
      },
    })
    const discreet = tapping('discreet', (host) => {
      host.registerTool(photo)
      host.on('transformToolResult', ({ parts }) => {
        const [first] = parts
        return first?.type === 'text' ? first.text.replace('hunter2', '***') : undefined
      })
    })
    const house = await houses.open({ model: ScriptedModel.toolThenAnswer({ name: 'photo', input: {} }), plugins: [discreet] })
    const answer = await ask(house, 'look')
    expect(answer).toContain('password: ***')
    expect(answer).toContain('image/png')
  })
})

describe('transformAnswer', () => {
  // plugins 28
  it('takes the first text that a plugin gives, asks all, and keeps in the conversation what people read', async () => {
    const asked: string[] = []
    const saying = (id: string, answer: string | null): Plugin =>
      tapping(id, (host) => {
        host.on('transformAnswer', async ({ text }) => {
          asked.push(`${id} ${text}`)
          return answer
        })
      })
    const house = await houses.open({ plugins: [saying('none', null), saying('one', 'A'), saying('two', 'B')] })
    expect(await ask(house, 'hello')).toBe('A')
    expect(asked).toEqual(['none hello', 'one hello', 'two hello'])
    await ask(house, 'again')
    expect(sent(house, 1)).toEqual(['user hello', 'assistant A', 'user again'])
  })

  it('is asked about the words of an answer whose tool ended the turn', async () => {
    const bye = defineTool({
      name: 'bye',
      description: 'Ends the turn.',
      input: z.object({}),
      run: () => ({ parts: [{ type: 'text', text: 'over' }], endsTurn: true }),
    })
    const loud = tapping('loud', (host) => {
      host.registerTool(bye)
      host.on('transformAnswer', ({ text }) => text.toUpperCase())
    })
    const model = new ScriptedModel([[{ text: 'good night' }, { toolCall: { name: 'bye', input: {} } }]])
    expect(await ask(await houses.open({ model, plugins: [loud] }), 'sleep')).toBe('GOOD NIGHT')
  })
})

describe('turnStart', () => {
  it('puts the contexts of all plugins behind the message, the same for every step and later turn', async () => {
    const { plugin } = adder()
    const starts: Hooks['turnStart']['payload'][] = []
    const weather = tapping('weather', (host) => {
      host.on('turnStart', async (start) => {
        starts.push(start)
        return { context: `Weather ${starts.length}: rain.` }
      })
    })
    const time = tapping('time', (host) => void host.on('turnStart', () => ({ context: 'It is late.' })))
    const model = new ScriptedModel([[{ toolCall: { name: 'add', input: { x: 1 } } }], 'one', 'two'])
    const house = await houses.open({ model, plugins: [plugin, weather, time] })
    await ask(house, 'hello')
    await ask(house, 'again')
    const opening = 'user hello | Weather 1: rain.\n\nIt is late.'
    expect(sent(house, 0)).toEqual([opening])
    expect(sent(house, 1)).toEqual([opening, 'assistant add()', 'tool tool-result'])
    expect(sent(house, 2).slice(0, 3)).toEqual(sent(house, 1))
    expect(sent(house, 2).at(-1)).toBe('user again | Weather 2: rain.\n\nIt is late.')
    expect(starts.map(({ text, isFirst }) => ({ text, isFirst }))).toEqual([
      { text: 'hello', isFirst: true },
      { text: 'again', isFirst: false },
    ])
  })

  it('is not asked again by the process that goes on with the turn: the model reads the same', async () => {
    const wait = defineTool({
      name: 'wait',
      description: 'Waits.',
      input: z.object({}),
      readOnly: true,
      run: (_input, { signal }) => (begun++ === 0 ? new Promise<never>((_, reject) => signal.addEventListener('abort', reject)) : 'waited'),
    })
    let begun = 0
    let asked = 0
    const clerk = tapping('clerk', (host) => {
      host.registerTool(wait)
      host.on('turnStart', () => ({ context: `Asked ${++asked} times.` }))
    })
    const model = ScriptedModel.toolThenAnswer({ name: 'wait', input: {} })
    const bot = await startTestBot(createAgent({ model }), { plugins: [clerk] })
    try {
      const chat = bot.telegram.addPrivateChat()
      bot.telegram.say(chat, 'hello')
      await until(() => begun === 1)
      await bot.restart()
      await bot.telegram.waitFor(() => bot.telegram.answers(chat).length === 1)
      expect(bot.telegram.answers(chat)).toEqual(['waited'])
      expect(asked).toBe(1)
      expect(sent({ model }, 0)).toEqual(['user hello | Asked 1 times.'])
      expect(sent({ model }, 1)).toEqual(['user hello | Asked 1 times.', 'assistant wait()', 'tool tool-result'])
    } finally {
      await bot.stop()
    }
  })

  it('keeps a context within the limit of a result, so that no plugin makes a conversation too long for ever', async () => {
    const endless = tapping('endless', (host) => void host.on('turnStart', () => ({ context: 'all work and no play '.repeat(50_000) })))
    const house = await houses.open({ plugins: [endless] })
    await ask(house, 'hello')
    expect(sent(house, 0).join('').length).toBeLessThan(3_000)
  })
})

describe('the hooks of the model', () => {
  it('tell of every attempt, and of what the model writes', async () => {
    const heard: string[] = []
    const listener = tapping('listener', (host) => {
      host.on('preModelCall', ({ model, attempt }) => void heard.push(`call ${model.model} ${attempt}`))
      host.on('modelError', ({ attempt, failure, willRetry }) => void heard.push(`error ${attempt} ${failure.reason} ${willRetry}`))
      host.on('postModelCall', ({ attempt, finish }) => void heard.push(`end ${attempt} ${finish}`))
      host.on('streamDelta', ({ kind, text }) => void heard.push(`${kind} ${text}`))
    })
    const model = ScriptedModel.failThenSucceed({ status: 503, times: 1, answer: 'fine' })
    const agent = createAgent({ model, retry: { baseMs: 0 } })
    const house = await houses.open({ plugins: [listener], options: { agent } })
    expect(await ask(house, 'hello')).toBe('fine')
    expect(heard).toEqual(['call script 1', 'error 1 overloaded true', 'call script 2', 'text fine', 'end 2 stop'])
  })

  it('tell of the last failure that nobody repeats it, and no secret', async () => {
    const errors: Hooks['modelError']['payload'][] = []
    const listener = tapping('listener', (host) => void host.on('modelError', (error) => void errors.push(error)))
    const model = new ScriptedModel(() => [{ error: { status: 401, message: 'the key s3cret-key-of-mine is wrong' } }])
    const house = await houses.open({ model, plugins: [listener], options: { secrets: ['s3cret-key-of-mine'] } })
    await ask(house, 'hello')
    expect(errors).toMatchObject([{ attempt: 1, willRetry: false, failure: { reason: 'auth' } }])
    const [failure] = errors.map((error) => error.failure)
    expect(`${failure?.message} ${String((failure?.cause as Error | undefined)?.stack)}`).not.toContain('s3cret')
  })
})

describe('an agent loop of one’s own', () => {
  it('has the hooks of a turn without knowing of them', async () => {
    const { plugin, inputs } = adder()
    const model = { provider: 'own', model: 'loop' }
    const agent: AgentRuntime = {
      id: 'own',
      async *run(turn) {
        const said = turn.input.map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')).join('')).join(' / ')
        yield { type: 'step-start', model }
        const result = await turn.tools.call({ callId: 'call', name: 'add', input: { x: 1 } })
        const [part] = result.parts
        const text = `${said}: ${part?.type === 'text' ? part.text : ''}`
        yield { type: 'text-delta', id: 'text', text }
        yield { type: 'message-add', message: { role: 'assistant', model, finish: 'stop', parts: [{ type: 'text', text }] } }
      },
    }
    const heard: string[] = []
    const all = tapping('all', (host) => {
      host.on('turnStart', () => ({ context: 'context' }))
      host.on('preToolCall', () => ({ action: 'modify', input: { y: 6 } }))
      host.on('transformToolResult', ({ parts }) => `${parts[0]?.type === 'text' ? parts[0].text : ''}!`)
      host.on('transformAnswer', ({ text }) => `[${text}]`)
      host.on('preModelCall', ({ model: { provider } }) => void heard.push(provider))
      host.on('streamDelta', ({ text }) => void heard.push(text))
    })
    const house = await houses.open({ plugins: [plugin, all], options: { agent } })
    expect(await ask(house, 'hello')).toBe('[hello / context: sum 7!]')
    expect(inputs).toEqual([{ x: 1, y: 6 }])
    expect(heard).toEqual(['own', 'hello / context: sum 7!'])
  })
})

function fail(message: string): never {
  throw new Error(message)
}
