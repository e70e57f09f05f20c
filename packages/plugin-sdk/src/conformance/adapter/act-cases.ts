import assert from 'node:assert/strict'
import { encodeChoice } from '../../choice-token.js'
import { pause, until } from '../waiting.js'
import { send, type AdapterCase } from './stage.js'

/** What people do besides writing. */
export const actCases: readonly AdapterCase[] = [
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
    'a message that is taken away is a deletion of it',
    async (stage) => {
      const double = stage.able('act')
      const host = await stage.connected()
      const id = await stage.double.say(stage.dm, 'gone soon')
      await double.act(id, { remove: true })
      await until(() => host.events.length >= 2, 'the deletion arrives')
      const [message, deletion] = host.events
      assert.ok(deletion?.kind === 'delete', `it is a ${deletion?.kind}`)
      assert.deepEqual([deletion.messageIds, deletion.chat], [[id], message?.chat])
    },
  ],
  [
    'a reaction says to which message and what, and whether it is taken back',
    async (stage) => {
      const double = stage.able('act')
      const host = await stage.connected()
      const id = await stage.double.say(stage.dm, 'nice')
      await until(() => host.events.length > 0, 'the message arrives')
      await double.act(id, { react: '👍' })
      await double.act(id, { unreact: '👍' })
      await until(() => host.events.length >= 3, 'both reactions arrive')
      const reactions = host.events
        .slice(1)
        .map((event) => (event.kind === 'reaction' ? [event.messageId, event.emoji, event.isRemoved] : event.kind))
      assert.deepEqual(reactions, [
        [id, '👍', false],
        [id, '👍', true],
      ])
      assert.equal(new Set(host.events.map((event) => event.id)).size, 3)
    },
  ],
  [
    'a button of a prompt is a choice of it, and a button of something else is none',
    async (stage) => {
      const double = stage.able('act')
      const host = await stage.connected()
      await send(host, stage.dm, { text: 'Yes or no?' })
      const question = stage.double.shown(stage.dm)[0] ?? assert.fail('nothing is shown')
      await double.act(question.id, { press: 'of a plugin' })
      await double.act(question.id, { press: encodeChoice('prompt', 'yes') })
      await until(() => host.events.length > 0, 'the choice arrives')
      await pause(50)
      const [choice, ...others] = host.events
      assert.ok(choice?.kind === 'choice' && others.length === 0, `${host.events.map(({ kind }) => kind).join(', ')} arrived`)
      assert.deepEqual([choice.promptId, choice.optionId, choice.author.isBot], ['prompt', 'yes', false])
    },
  ],
  [
    'a command of the platform says its name and its words',
    async (stage) => {
      const double = stage.able('command')
      const host = await stage.connected()
      await double.command(stage.dm, 'remember', 'the milk')
      await until(() => host.events.length > 0, 'the command arrives')
      const [command] = host.events
      assert.ok(command?.kind === 'command', `it is a ${command?.kind}`)
      assert.deepEqual([command.name, command.args, command.author.isBot], ['remember', 'the milk', false])
    },
  ],
]
