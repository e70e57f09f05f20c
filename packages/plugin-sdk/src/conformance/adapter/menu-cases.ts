import assert from 'node:assert/strict'
import type { CommandSpec } from '../../command-menu.js'
import type { AdapterHost } from './adapter-host.js'
import { within } from '../waiting.js'
import type { AdapterCase } from './stage.js'

const help: CommandSpec = { name: 'help', description: 'What there is' }
const notes: CommandSpec = { name: 'notes', description: 'Show the notes' }

/** The platform's own menu of commands. */
export const menuCases: readonly AdapterCase[] = [
  [
    'shows the newest commands, and no others',
    async (stage) => {
      const double = stage.able('menu')
      const host = await stage.connected()
      await publish(host, [help, notes])
      assert.deepEqual(double.menu().names, ['help', 'notes'])
      await publish(host, [notes])
      assert.deepEqual(double.menu().names, ['notes'])
    },
  ],
  [
    'is not sent again while it is the same',
    async (stage) => {
      const double = stage.able('menu')
      const host = await stage.connected()
      await publish(host, [help, notes])
      const { changes } = double.menu()
      await publish(host, [{ ...help }, { ...notes }])
      assert.equal(double.menu().changes, changes)
    },
  ],
]

async function publish({ adapter }: AdapterHost, commands: readonly CommandSpec[]): Promise<void> {
  if (!adapter.publishCommands) assert.fail('the adapter has no `publishCommands`: skip this group with a reason')
  await within(adapter.publishCommands(commands, new AbortController().signal), 'publishCommands resolves')
}
