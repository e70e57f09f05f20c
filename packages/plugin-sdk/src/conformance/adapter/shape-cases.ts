import assert from 'node:assert/strict'
import type { ChatAddress } from '../../addresses.js'
import type { AdapterCase } from './stage.js'

const kinds = ['dm', 'group', 'channel', 'thread', 'forum'] as const

/** What an adapter is before it is connected. */
export const shapeCases: readonly AdapterCase[] = [
  ['every adapter that is created is a new one', async (stage) => assert.notEqual(stage.host().adapter, stage.host().adapter)],
  [
    'its platform is that of its chats, and its account is not a secret',
    async (stage) => {
      const { platform, account } = stage.host().adapter
      assert.equal(platform, stage.dm.platform)
      assert.ok(!stage.secrets.includes(account ?? ''), 'the account is a secret')
    },
  ],
  [
    'capabilities are a look-up that knows every chat and always says the same',
    async (stage) => {
      const { adapter } = stage.host()
      const strange = kinds.map((kind): ChatAddress => ({ platform: adapter.platform, kind, chatId: 'of nobody', threadId: 'none' }))
      for (const chat of [stage.dm, ...strange]) {
        const { text } = adapter.capabilities(chat)
        assert.ok(text.limit >= 1, `the limit of a ${chat.kind} is ${text.limit}`)
        assert.ok(['utf16', 'codePoints'].includes(text.unit), `the unit of a ${chat.kind} is ${text.unit}`)
        assert.equal(typeof text.dialect, 'string')
        assert.deepEqual(adapter.capabilities(chat), adapter.capabilities(chat))
      }
    },
  ],
  [
    'what it declares is there: a stream, and a menu with its size',
    async (stage) => {
      const { adapter } = stage.host()
      assert.equal(adapter.capabilities(stage.dm).stream !== undefined, adapter.stream !== undefined, '`stream` and capabilities disagree')
      assert.equal(adapter.commandMenu !== undefined, adapter.publishCommands !== undefined, '`publishCommands` and `commandMenu` disagree')
    },
  ],
]
