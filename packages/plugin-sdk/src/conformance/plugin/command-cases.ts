import assert from 'node:assert/strict'
import type { Command } from '../../command.js'
import { within } from '../waiting.js'
import { stopMs, stopping } from './calling.js'
import { commandContext } from './hosts-side.js'
import type { PluginCase, PluginStage } from './plugin-stage.js'

/** What people may run. */
export const commandCases: readonly PluginCase[] = [
  [
    'answer with a text or with nothing',
    async (stage) => {
      for (const { command, args } of await runsOf(stage)) {
        const answer: unknown = await within(runCommand(command, args), `/${command.name} ends`)
        assert.ok(answer === undefined || typeof answer === 'string', `/${command.name} answered with a ${typeof answer}`)
      }
    },
  ],
  [
    'end when they are told to stop',
    async (stage) => {
      for (const { command, args } of await runsOf(stage)) {
        for (const signal of [AbortSignal.abort(), stopping()])
          await within(Promise.allSettled([runCommand(command, args, signal)]), `/${command.name} ends when it is told to`, stopMs)
      }
    },
  ],
]

/** Every command with all arguments that there are for it. */
async function runsOf(stage: PluginStage): Promise<readonly { readonly command: Command; readonly args: string }[]> {
  const { record } = await stage.load()
  assert.ok(record.commands.size > 0, 'The plugin has no commands: skip this group with a reason.')
  return [...record.commands].flatMap((command) => stage.argsOf(command.name).map((args) => ({ command, args })))
}

/** Runs a command as a host does. */
export async function runCommand(command: Command, args: string, signal: AbortSignal = new AbortController().signal): Promise<void | string> {
  return command.run(commandContext(args, signal))
}
