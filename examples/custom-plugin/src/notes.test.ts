import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAgent, createGateway, memoryStore, type Gateway } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { ScriptedModel } from '@hermes/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { notes } from './index.js'
import { Letterbox } from './testing/letterbox.js'

const logger = { debug() {}, info() {}, warn() {}, error() {} }
let gateway: Gateway | undefined

afterEach(async () => gateway?.stop())

/** A gateway with the plugin and a model that notes whatever it is told to remember. */
async function open(options: Parameters<typeof notes>[0] = {}, store = memoryStore()) {
  const letterbox = new Letterbox()
  const model = new ScriptedModel(({ prompt }) => {
    const tail = prompt.at(-1)
    if (tail?.role !== 'user') return 'I keep that.'
    const [said] = tail.content
    const text = said?.type === 'text' ? said.text : ''
    return text.startsWith('remember ') ? [{ toolCall: { name: 'note', input: { text: text.slice('remember '.length) } } }] : 'Hello.'
  })
  gateway = createGateway({ agent: createAgent({ model }), store, plugins: [letterbox.plugin], logger })
  const stay = await gateway.use(notes(options))
  await gateway.start()
  return { letterbox, model, stay }
}

describe('the plugin', () => {
  it('keeps what the model notes, and shows it to people', async () => {
    const { letterbox } = await open()
    expect(await letterbox.ask('/notes')).toBe('There are no notes yet.')
    expect(await letterbox.ask('remember the milk')).toBe('I keep that.')
    expect(await letterbox.ask('/notes')).toBe('- the milk')
  })

  it('tells the model of the notes behind what a person says', async () => {
    const { letterbox, model } = await open()
    await letterbox.ask('remember the milk')
    await letterbox.ask('hello')
    expect(model.calls.at(-1)?.prompt.at(-1)).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'hello' },
        { type: 'text', text: 'Notes of this chat:\n- the milk' },
      ],
    })
  })

  it('keeps as many notes as its options say', async () => {
    const { letterbox } = await open({ perChat: 2 })
    for (const note of ['one', 'two', 'three']) await letterbox.ask(`remember ${note}`)
    expect(await letterbox.ask('/notes')).toBe('- two\n- three')
  })

  it('has its notes again after a restart', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'notes-'))
    try {
      const before = await open({}, sqliteStore(join(directory, 'notes.db')))
      await before.letterbox.ask('remember the milk')
      await gateway?.stop()
      const after = await open({}, sqliteStore(join(directory, 'notes.db')))
      expect(await after.letterbox.ask('/notes')).toBe('- the milk')
      await gateway?.stop()
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  it('takes its command along when it leaves', async () => {
    const { letterbox, stay } = await open()
    expect(await letterbox.ask('/notes')).toBe('There are no notes yet.')
    stay.dispose()
    await expect.poll(() => letterbox.ask('/notes'), { timeout: 10_000 }).toContain('/help')
  })

  it('refuses options that it does not know', () => {
    expect(() => notes({ perchat: 2 } as never)).toThrow('did you mean perChat?')
  })
})
