import { afterEach, beforeEach, expect, test } from 'vitest'
import { startOpenAiEmulator } from './index.js'
import type { OpenAiEmulator } from './index.js'

let model: OpenAiEmulator

beforeEach(async () => {
  model = await startOpenAiEmulator()
})

afterEach(() => model.stop())

function ask(key = model.apiKey): Promise<Response> {
  const body = JSON.stringify({ model: 'small', stream: true, messages: [{ role: 'user', content: 'hello' }] })
  return fetch(`${model.url}/chat/completions`, { method: 'POST', body, headers: { authorization: `Bearer ${key}` } })
}

test('a text comes in the pieces of the script', async () => {
  model.script({ text: ['good ', 'day'] })
  const stream = await (await ask()).text()
  expect([...stream.matchAll(/"content":"([^"]+)"/g)].map((match) => match[1])).toEqual(['good ', 'day'])
  expect(stream).toMatch(/"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/)
  expect(model.requests).toMatchObject([{ messages: [{ role: 'user', content: 'hello' }] }])
})

test('a tool call comes with its input as text', async () => {
  model.script({ toolCalls: [{ name: 'weather', input: { city: 'Oslo' } }] })
  const stream = await (await ask()).text()
  expect(stream).toContain(JSON.stringify(JSON.stringify({ city: 'Oslo' })))
  expect(stream).toContain('"finish_reason":"tool_calls"')
})

test('an error comes with its status and its date', async () => {
  model.script({ errorStatus: 429, retryAfterSeconds: 2 })
  const response = await ask()
  expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2'])
})

test('a stream may break off', async () => {
  model.script({ cutAfter: 'half a' })
  const response = await ask()
  await expect(response.text()).rejects.toThrow('terminated')
})

test('a wrong key and a request beyond the script are refused', async () => {
  expect((await ask('sk-wrong')).status).toBe(401)
  expect((await ask()).status).toBe(400)
  expect(model.requests).toHaveLength(1)
})
