import { memoryStore, type StateStore, type StoreCommandName } from '@hermes/core'
import { sqliteStore } from '@hermes/core/sqlite'
import { ScriptedModel } from '@hermes/core/testing'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { PaperHouses } from './paper-house.js'
import { PaperPlatform, until } from './paper-platform.js'

const houses = new PaperHouses()
const chats = Array.from({ length: 50 }, (_, index) => `chat ${index}`)

afterEach(() => houses.close())
afterAll(() => houses.dispose())

/** A store that tells which commands it got, and keeps those of one name waiting until it is released. */
function watchedStore(slow?: StoreCommandName) {
  const memory = memoryStore()
  const commands: StoreCommandName[] = []
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const store: StateStore = {
    engine: memory.engine,
    open: () => memory.open(),
    close: () => memory.close(),
    health: () => memory.health(),
    async execute(name, args, more) {
      commands.push(name)
      if (name === slow) await released
      return memory.execute(name, args, more)
    },
  }
  return { store, commands, release }
}

/** Answers with all that was said in the conversation; hangs at `hang`. */
function remembering(): ScriptedModel {
  return new ScriptedModel((options) => {
    const said = options.prompt.flatMap((message) =>
      message.role === 'user' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
    )
    return said.at(-1)?.endsWith('hang') ? [{ hang: true }] : [{ text: said.join(' ').replaceAll('\n', ' ') }]
  })
}

describe('/stop', () => {
  it('meets the turn of the message right before it', async () => {
    const { paper } = await houses.open({ model: remembering() })
    await Promise.all(chats.flatMap((chat) => [paper.say(chat, 'hang'), paper.say(chat, '/stop')]))
    await until(() => paper.shown === chats.length)
    expect(chats.map((chat) => paper.answers(chat))).toEqual(chats.map(() => ['⏹ Stopped.']))
  })

  it('spares the message right behind it', async () => {
    const { paper, model } = await houses.open({ model: remembering() })
    await Promise.all(chats.map((chat) => paper.say(chat, 'hang')))
    await until(() => model.calls.length === chats.length)
    await Promise.all(chats.flatMap((chat) => [paper.say(chat, '/stop'), paper.say(chat, 'next')]))
    await until(() => paper.shown === 2 * chats.length)
    expect(chats.every((chat) => paper.answers(chat)[0] === '⏹ Stopped.' && paper.answers(chat)[1]?.endsWith('next'))).toBe(true)
  })
})

describe('/new', () => {
  it('stops what runs, and takes what waits along', async () => {
    const { paper, model } = await houses.open({ model: remembering() })
    await Promise.all(chats.map((chat) => paper.say(chat, 'hang')))
    await until(() => model.calls.length === chats.length)
    await Promise.all(chats.flatMap((chat) => ['one', '/new', 'two'].map((text) => paper.say(chat, text))))
    await until(() => paper.shown === 3 * chats.length)
    expect(chats.map((chat) => paper.answers(chat).toSorted())).toEqual(chats.map(() => ['one', 'one two', '✨ New conversation.']))
  })

  it('written twice begins two, and what is behind belongs to the last', async () => {
    const { paper, model } = await houses.open({ model: remembering() })
    await Promise.all(chats.map((chat) => paper.say(chat, 'hang')))
    await until(() => model.calls.length === chats.length)
    await Promise.all(chats.flatMap((chat) => ['/new', '/new', 'after'].map((text) => paper.say(chat, text))))
    await until(() => paper.shown === 3 * chats.length)
    expect(chats.every((chat) => paper.answers(chat).includes('after'))).toBe(true)
  })
})

describe('a message', () => {
  it('is in the lane of its conversation with its receipt, without a command of its own', async () => {
    const watched = watchedStore()
    const { paper } = await houses.open({ options: { store: watched.store } })
    await paper.say('c', 'one')
    await until(() => paper.shown === 1)
    expect(watched.commands).toContain('inbox.receive')
    expect(watched.commands).not.toContain('session.route')
  })

  it('behind a command stays behind it, and so does all that comes while the command is under way', async () => {
    const watched = watchedStore('session.renew')
    const { paper } = await houses.open({ model: remembering(), options: { store: watched.store } })
    await paper.say('c', 'before')
    await until(() => paper.shown === 1)
    await Promise.all(['/new', 'one'].map((text) => paper.say('c', text)))
    await paper.say('c', 'two')
    await paper.say('other', 'hello')
    await until(() => paper.answers('other').length === 1)
    expect(paper.answers('c')).toEqual(['before'])
    watched.release()
    await until(() => paper.answers('c').length === 4)
    expect(paper.answers('c')).toEqual(['before', '✨ New conversation.', 'one', 'one two'])
  })

  it('of the next start does not overtake what a closing house left alone', async () => {
    const memory = memoryStore()
    const first = await houses.open({ options: { store: memory } })
    const stopping = first.gateway.stop()
    await Promise.all(['/stop', 'one'].map((text) => first.paper.say('c', text)))
    await first.paper.say('c', 'two')
    await stopping
    const { paper } = await houses.open({ options: { store: memory } })
    await until(() => paper.shown === 3)
    expect(paper.answers('c')).toEqual(['Nothing is running.', 'one', 'two'])
  })
})

describe('many messages', () => {
  it('in one busy chat: 32 wait, each further one is told so, and those from before the connection all wait', async () => {
    const { paper } = await houses.open({ model: new ScriptedModel(() => [{ hang: true }]) })
    const texts = Array.from({ length: 40 }, (_, index) => `message ${index}`)
    await Promise.all(texts.map((text) => paper.say('early', text, { at: 5 })))
    await Promise.all(texts.map((text) => paper.say('busy', text)))
    await paper.say('early', '/status')
    await paper.say('busy', '/status')
    await until(() => paper.answers('busy').length === 8 && paper.answers('early').length === 1)
    expect(paper.answers('busy').filter((text) => text.startsWith('⏳ Not accepted'))).toHaveLength(7)
    expect(paper.answers('busy').at(-1)).toContain('32 waiting')
    expect(paper.answers('early')[0]).toContain('39 waiting')
  })

  it('in 500 chats at once are answered, each in its own', async () => {
    const { paper } = await houses.open()
    const many = Array.from({ length: 500 }, (_, index) => String(index))
    await Promise.all(many.map((chat) => paper.say(chat, `hello ${chat}`)))
    await until(() => paper.shown === many.length)
    expect(many.every((chat) => paper.answers(chat).join().includes(`hello ${chat}`))).toBe(true)
  })

  it('of one chat keep their order when the store fails at the first', async () => {
    const memory = memoryStore()
    let failures = 1
    const store: StateStore = {
      engine: memory.engine,
      open: () => memory.open(),
      close: () => memory.close(),
      health: () => memory.health(),
      execute: (name, args, more) =>
        name === 'session.route' && failures-- > 0 ? Promise.reject(new Error('no disk')) : memory.execute(name, args, more),
    }
    const { paper } = await houses.open({ options: { store } })
    // Behind a command, messages are routed one by one.
    await Promise.all(['/stop', 'one', 'two'].map((text) => paper.say('c', text)))
    await until(() => paper.shown === 3)
    expect(paper.answers('c')).toEqual(['Nothing is running.', 'one', 'two'])
    expect(failures).toBeLessThan(0)
  })

  it('are answered once each while a second gateway tries the same database file: it is refused until the first has stopped', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hermes-two-'))
    const store = () => sqliteStore({ path: join(directory, 'hermes.db'), patienceMs: 0 })
    const first = await houses.open({ model: remembering(), options: { store: store() } })
    const answered = Promise.all(chats.map((chat) => first.paper.say(chat, 'one')))
    const early = houses.build({ paper: new PaperPlatform(), model: remembering(), options: { store: store() } })
    await expect(early.gateway.start()).rejects.toMatchObject({ code: 'store.locked' })
    await answered
    await until(() => first.paper.shown === chats.length)
    await first.gateway.stop()
    const second = await houses.open({ paper: new PaperPlatform(), model: remembering(), options: { store: store() } })
    await Promise.all(chats.map((chat) => second.paper.say(chat, 'two', { id: `two ${chat}` })))
    await until(() => second.paper.shown === chats.length)
    for (const chat of chats) expect([first.paper.answers(chat), second.paper.answers(chat)]).toEqual([['one'], ['one two']])
    await houses.close()
    await rm(directory, { recursive: true, force: true })
  })
})
