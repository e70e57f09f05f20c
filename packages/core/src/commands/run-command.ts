import type { Command } from '@hermes/plugin-sdk'
import { notices } from '../kernel/index.js'
import { builtInCommands } from './built-in-commands.js'
import type { CommandCall, CommandPorts } from './ports.js'
import { reply } from './reply.js'

/** Names that no plugin can take. */
export const reservedCommandNames: ReadonlySet<string> = new Set(builtInCommands.map((command) => command.name))

/** May messages behind this command be routed before it is done? Those behind a new conversation belong to it. */
export function holdsWhatFollows(name: string): boolean {
  return name === 'new'
}

/**
 * Runs what was typed, and replies. Its row is settled with the reply: a command that was cut off by a crash runs again. Rejects only
 * when the house closes meanwhile, or the store takes nothing any more.
 */
export async function runCommand(call: CommandCall, ports: CommandPorts): Promise<void> {
  const builtIn = builtInCommands.find((command) => command.name === call.name)
  if (builtIn) return builtIn.run(call, ports)
  const command = ports.pluginCommand(call.name)
  if (!command) return reply(notices['command.unknown'](call.name.slice(0, 64)), { call, ports })
  return runPluginCommand(command, call, ports)
}

async function runPluginCommand(command: Command, call: CommandCall, ports: CommandPorts): Promise<void> {
  const session = await ports.store.execute('session.get', { key: call.sessionKey })
  const lane = session?.session.conversation
  if (lane !== undefined && ports.turns.isBusy(lane)) {
    const policy = command.whileBusy ?? 'reject'
    if (policy === 'reject') return reply(notices['command.busy'](call.name), { call, ports })
    if (policy === 'interrupt') await ports.turns.stop(lane, 'stop')
  }
  const answer = await answerOf(command, call, ports)
  if (answer !== undefined) return reply(answer, { call, ports, format: 'markdown' })
  await ports.store.execute('inbox.settle', { seq: call.seq, reason: 'command', at: ports.clock.now() })
}

/** What the plugin wants said last; its failure is a notice for people and an error in the log. */
async function answerOf(command: Command, call: CommandCall, ports: CommandPorts): Promise<string | undefined> {
  try {
    const answer = await command.run({
      args: call.args,
      author: call.author,
      chat: call.chat,
      sessionKey: call.sessionKey,
      signal: ports.signal,
      reply: (text) => reply(String(text), { call, ports, isLast: false, format: 'markdown' }),
    })
    return typeof answer === 'string' && answer !== '' ? answer : undefined
  } catch (error) {
    ports.logger.error({ command: call.name, error }, 'A command failed.')
    return notices['command.failed'](call.name)
  }
}
