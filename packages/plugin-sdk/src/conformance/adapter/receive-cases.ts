import assert from 'node:assert/strict'
import { until, within } from '../waiting.js'
import { leave, send, type AdapterCase } from './stage.js'

const strange = ['ünïcödé 漢字 🏳️‍🌈', 'two\nlines\n', 'שלום עולם', '<b>&amp;</b> **x** `y`', '{"kind":"message"}', '/x y']

/** What people's doings are as events. */
export const receiveCases: readonly AdapterCase[] = [
  [
    'a message is an event with its chat, its author and its text as it was written',
    async (stage) => {
      const host = await stage.connected()
      const ids: string[] = []
      for (const text of strange) ids.push(await stage.double.say(stage.dm, text))
      await until(() => host.events.length >= strange.length, 'all messages arrive')
      const messages = host.events.flatMap((event) => (event.kind === 'message' ? [event] : []))
      assert.deepEqual(
        messages.map(({ text }) => text.trim()),
        strange.map((text) => text.trim()),
      )
      assert.deepEqual(
        messages.map(({ messageId }) => messageId),
        ids,
      )
      for (const { author, at } of messages) {
        assert.ok(author.id.length > 0 && !author.isBot, 'a person has no id or is a bot')
        assert.ok(Number.isFinite(at) && at > Date.UTC(2000, 0), `the time ${at} is not in milliseconds`)
      }
    },
  ],
  [
    'a hundred messages arrive in their order, each with an id of its own',
    async (stage) => {
      const host = await stage.connected()
      const texts = Array.from({ length: 100 }, (_, index) => `message ${index}`)
      for (const text of texts) await stage.double.say(stage.dm, text)
      await until(() => host.events.length >= texts.length, 'a hundred messages arrive')
      assert.deepEqual(host.texts, texts)
      assert.equal(new Set(host.events.map(({ id }) => id)).size, texts.length)
    },
  ],
  [
    'all events of a chat have one address, and chats do not mix',
    async (stage) => {
      const group = stage.double.chats.group ?? assert.fail('The double has no `chats.group`: give it one, or skip this case.')
      const host = await stage.connected()
      for (const chat of [stage.dm, group, stage.dm, group]) await stage.double.say(chat, chat.kind)
      await until(() => host.events.length >= 4, 'the messages of both chats arrive')
      const places = host.events.map(({ chat }) => [chat.platform, chat.kind, chat.chatId, chat.threadId, chat.scopeId])
      const expected = [stage.dm, group].map((chat) => [chat.platform, chat.kind, chat.chatId, chat.threadId, chat.scopeId])
      assert.deepEqual(places, [...expected, ...expected])
    },
  ],
  [
    'a text of a megabyte arrives whole, and an empty one takes nothing away',
    async (stage) => {
      const host = await stage.connected()
      const long = 'x'.repeat(1_000_000)
      for (const text of ['', long, 'behind it']) await stage.double.say(stage.dm, text)
      await until(() => host.texts.includes('behind it'), 'what is said behind them arrives')
      assert.ok(host.texts.includes(long), `of a text of ${long.length} characters arrived ${host.texts.map((text) => text.length).join(', ')}`)
      assert.ok(host.events.length <= 3)
    },
  ],
  [
    'what nobody said is of nobody who says other things, and takes nothing away',
    async (stage) => {
      const host = await stage.connected()
      await stage.double.say(stage.groupOrDm, 'of nobody', { from: null })
      await stage.double.say(stage.groupOrDm, 'of somebody')
      await until(() => host.texts.includes('of somebody'), 'what is said behind it arrives')
      const authors = host.events.map((event) => ('author' in event ? event.author?.id : undefined))
      assert.ok(new Set(authors).size === authors.length && !authors.includes(''), `the authors are ${authors.join(', ')}`)
    },
  ],
  [
    'people are told apart by their ids, which stay',
    async (stage) => {
      const host = await stage.connected()
      for (const from of ['ann', 'ben', 'ann']) await stage.double.say(stage.groupOrDm, 'hello', { from })
      await until(() => host.events.length >= 3, 'the messages arrive')
      const [ann, ben, annAgain] = host.events.map((event) => ('author' in event ? event.author?.id : undefined))
      assert.equal(ann, annAgain)
      assert.notEqual(ann, ben)
    },
  ],
  [
    'a mention of the bot speaks to it, and is no part of the text',
    async (stage) => {
      const host = await stage.connected()
      await stage.double.say(stage.groupOrDm, 'good morning', { mentionsUs: true })
      await stage.double.say(stage.groupOrDm, 'good night')
      await until(() => host.events.length >= 2, 'the messages arrive')
      const [said, other] = host.events.flatMap((event) => (event.kind === 'message' ? [[event.mentions, event.text]] : []))
      assert.deepEqual(said, ['us', 'good morning'])
      if (stage.double.chats.group) assert.equal(other?.[0], 'none')
    },
  ],
  [
    'what is delivered twice has the same id, also by another connection',
    async (stage) => {
      const double = stage.able('redeliver')
      const first = await stage.connected()
      const id = await stage.double.say(stage.dm, 'once')
      await until(() => first.events.length > 0, 'the message arrives')
      await double.redeliver(id)
      await until(() => first.events.length > 1, 'the second delivery arrives')
      await within(leave(first), 'disconnect resolves')
      const second = await stage.connected()
      await double.redeliver(id)
      await until(() => second.events.length > 0, 'the third delivery arrives')
      assert.equal(new Set([...first.events, ...second.events].map((event) => event.id)).size, 1)
    },
  ],
  [
    'a receipt that never comes holds up no send, and no end',
    async (stage) => {
      const host = await stage.connected()
      host.answer = () => new Promise(() => {})
      await stage.double.say(stage.dm, 'never stored')
      await until(() => host.events.length > 0, 'the message arrives')
      assert.equal((await send(host, stage.dm, {})).status, 'sent')
      await within(leave(host), 'disconnect resolves')
    },
  ],
  [
    'what nobody can read takes away nothing that comes behind it',
    async (stage) => {
      await stage.double.fault('receive', 'garbage')
      const host = await stage.connected()
      await within(Promise.resolve(stage.double.say(stage.dm, 'behind it')), 'somebody writes')
      await until(() => host.texts.includes('behind it'), 'a message behind garbage arrives')
    },
  ],
]
