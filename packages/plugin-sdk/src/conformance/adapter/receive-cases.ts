import assert from 'node:assert/strict'
import { until, within } from '../waiting.js'
import type { AdapterCase } from './stage.js'

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
    'a message that is changed is an edit of it, with the new text, whole',
    async (stage) => {
      const double = stage.able('act')
      const host = await stage.connected()
      const id = await stage.double.say(stage.dm, 'before')
      await double.act(id, { edit: 'after' })
      await until(() => host.events.length >= 2, 'the edit arrives')
      const [message, change] = host.events
      assert.ok(change?.kind === 'edit', `it is a ${change?.kind}`)
      assert.deepEqual([change.messageId, change.text, change.chat], [id, 'after', message?.chat])
      assert.notEqual(change.id, message?.id)
    },
  ],
  [
    'a reaction says to which message and what',
    async (stage) => {
      const double = stage.able('act')
      const host = await stage.connected()
      const id = await stage.double.say(stage.dm, 'nice')
      await until(() => host.events.length > 0, 'the message arrives')
      await double.act(id, { react: '👍' })
      await until(() => host.events.length >= 2, 'the reaction arrives')
      const reaction = host.events[1]
      assert.ok(reaction?.kind === 'reaction', `it is a ${reaction?.kind}`)
      assert.deepEqual([reaction.messageId, reaction.emoji, reaction.isRemoved], [id, '👍', false])
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
