import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { expectAlternation, expectSamePrefix, FakeClock, ScriptedModel } from './index.js'

const asking = (text: string, more: Partial<LanguageModelV3CallOptions> = {}): LanguageModelV3CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  ...more,
})

async function partsOf(model: ScriptedModel, options = asking('hi')): Promise<LanguageModelV3StreamPart[]> {
  const parts: LanguageModelV3StreamPart[] = []
  for await (const part of (await model.doStream(options)).stream) parts.push(part)
  return parts
}
const textOf = (parts: readonly LanguageModelV3StreamPart[]) => parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))

describe('ScriptedModel', () => {
  it('streams a text word by word, the same every time', async () => {
    const model = ScriptedModel.echo()
    expect(textOf(await partsOf(model, asking('one two\nthree')))).toEqual(['one ', 'two\n', 'three'])
    expect(await partsOf(model)).toEqual(await partsOf(model))
  })

  it('waits before every word on the clock it was given', async () => {
    const clock = new FakeClock()
    const parts = partsOf(ScriptedModel.echo({ clock, deltaDelayMs: 40 }), asking('one two'))
    for (let word = 0; word < 2; word++) {
      expect(await clock.slept()).toBe(40)
      await clock.advance(40)
    }
    expect(textOf(await parts)).toEqual(['one ', 'two'])
  })

  it.each([
    ['in a hang', [{ hang: true }]],
    ['in a delay', [{ delayMs: 1_000 }]],
    ['in the middle of a text', [{ text: 'a' }, { hang: true }]],
  ] as const)('honours the signal %s', async (_where, steps) => {
    const controller = new AbortController()
    const parts = partsOf(new ScriptedModel([steps], { clock: new FakeClock() }), asking('x', { abortSignal: controller.signal }))
    controller.abort(new Error('stopped'))
    await expect(parts).rejects.toThrow('stopped')
  })

  it('fails the call before the first words, and the stream after them', async () => {
    const error = { error: { status: 429, headers: { 'retry-after': '1' }, body: 'slow' } }
    const model = new ScriptedModel([[error], [{ text: 'a' }, error]])
    await expect(model.doStream(asking('x'))).rejects.toMatchObject({ statusCode: 429, responseBody: 'slow' })
    expect((await partsOf(model)).find((part) => part.type === 'error')).toMatchObject({ error: { statusCode: 429 } })
  })

  it('rejects past the end of its script, or begins again in a loop', async () => {
    const strict = new ScriptedModel(['one'])
    await partsOf(strict)
    await expect(partsOf(strict)).rejects.toThrow('called 2 times, and its script has 1 answers')
    const loop = new ScriptedModel(['one', 'two'], { mode: 'loop' })
    expect([textOf(await partsOf(loop)), textOf(await partsOf(loop)), textOf(await partsOf(loop))].flat()).toEqual(['one', 'two', 'one'])
  })

  it('records what it was asked, frozen', async () => {
    const model = ScriptedModel.echo()
    await partsOf(model, asking('x', { headers: { a: 'b' }, abortSignal: new AbortController().signal }))
    expect(model.calls).toEqual([asking('x', { headers: { a: 'b' } })])
    expect(() => (model.calls[0]!.prompt as unknown[]).push(1)).toThrow(TypeError)
  })

  it('calls a tool and answers with its result', async () => {
    const model = ScriptedModel.toolThenAnswer({ name: 'look', input: { a: 1 } })
    const call = (await partsOf(model)).find((part) => part.type === 'tool-call')
    expect(call).toMatchObject({ toolName: 'look', input: '{"a":1}' })
    const output = { type: 'text', value: 'seen' } as const
    const result = { type: 'tool-result', toolCallId: 'x', toolName: 'look', output } as const
    expect(textOf(await partsOf(model, { prompt: [...asking('x').prompt, { role: 'tool', content: [result] }] }))).toEqual(['seen'])
  })

  it('fails a number of times and then answers', async () => {
    const model = ScriptedModel.failThenSucceed({ status: 500, times: 1, answer: 'ok' })
    await expect(partsOf(model)).rejects.toMatchObject({ statusCode: 500 })
    expect(textOf(await partsOf(model))).toEqual(['ok'])
  })
})

describe('the assertions on transcripts', () => {
  it.each([['user,user'], ['user,assistant,assistant'], ['user,tool'], ['assistant']])('refuse %s', (roles) => {
    expect(() => expectAlternation(roles.split(',').map((role) => ({ role })))).toThrow(/is of role/)
  })

  it('take calls, results and notes', () => {
    const roles = 'system,user,assistant,tool,tool,user,assistant,user'
    expect(() => expectAlternation(roles.split(',').map((role) => ({ role })))).not.toThrow()
  })

  it('tell which part of a prefix changed', () => {
    const first = asking('one')
    expect(() => expectSamePrefix(first, { prompt: [...first.prompt, ...asking('two').prompt] })).not.toThrow()
    expect(() => expectSamePrefix(first, asking('other'))).toThrow('message 0')
    expect(() => expectSamePrefix(first, { ...first, tools: [] })).toThrow('tools')
  })
})
