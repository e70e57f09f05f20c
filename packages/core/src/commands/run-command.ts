import { HermesError, type Command } from '@hermes/plugin-sdk'
import { afterGrace, isolate, notices, runAsOurs, type Isolated } from '../kernel/index.js'
import { builtInCommands } from './built-in-commands.js'
import { findByMenuName } from './command-menu.js'
import { mayRun } from './command-tier.js'
import { insist } from './insist.js'
import type { CommandCall, CommandPorts } from './ports.js'
import { reply } from './reply.js'

/** Names that no plugin can take. */
export const reservedCommandNames: ReadonlySet<string> = new Set(builtInCommands.map((command) => command.name))

/** The longest run of a plugin's command … */
const commandTimeoutMs = 600_000
/** … and how long it may go on when the house closes. */
const closingGraceMs = 2000

/**
 * Does what is written behind this command wait until it is done? Behind those of the house it does: messages belong to the new
 * conversation, and a stop means what was there before it. A command of a plugin may take its time.
 */
export function holdsWhatFollows(name: string): boolean {
  return reservedCommandNames.has(name)
}

/**
 * Runs what was typed, and replies. Its row is settled with the reply: a command that was cut off by a crash runs again. Rejects only
 * when the house closes meanwhile, or the store takes nothing any more.
 */
export async function runCommand(call: CommandCall, ports: CommandPorts): Promise<void> {
  const builtIn = builtInCommands.find((command) => command.name === call.name)
  if (builtIn && mayRun(call.tier, builtIn)) {
    announce(builtIn, builtIn.hidesArguments ? { ...call, args: '' } : call, ports)
    return builtIn.run(call, ports)
  }
  const command = builtIn ? undefined : (ports.pluginCommand(call.name) ?? findByMenuName(call.name, ports.pluginCommands()))
  if (builtIn || (command && !mayRun(call.tier, command))) return reply(notices['command.denied'](call.name), { call, ports })
  if (!command) return reply(notices['command.unknown'](call.name.slice(0, 64)), { call, ports })
  announce(command, call, ports)
  return runPluginCommand(command, call, ports)
}

/** Those who watch hold nobody: /stop works whatever they do. */
function announce({ name }: { readonly name: string }, { args, author, chat, sessionKey }: CommandCall, { hooks }: CommandPorts): void {
  void hooks.tell('preCommand', { name, args, author, chat, sessionKey })
}

async function runPluginCommand(command: Command, call: CommandCall, ports: CommandPorts): Promise<void> {
  const session = await insist(ports, 'session.get', { key: call.sessionKey })
  const lane = session?.session.conversation
  if (lane !== undefined && ports.turns.isBusy(lane)) {
    const policy = command.whileBusy ?? 'reject'
    if (policy === 'reject') return reply(notices['command.busy'](call.name), { call, ports })
    if (policy === 'interrupt') await ports.turns.stop(lane, 'stop')
  }
  const record = ports.recordOf(command)
  const since = ports.clock.now()
  record?.began()
  const done = await runIsolated(command, call, ports)
  // It was cut off: it runs again after the next start.
  if (!done.ok && ports.signal.aborted) throw done.error
  if (done.ok) record?.succeeded(since)
  else {
    if (HermesError.is(done.error, 'timed-out')) record?.timedOut()
    record?.failed(done.error, since)
  }
  const answer = done.ok ? done.value : notices['command.failed'](call.name)
  if (answer !== '') return reply(answer, { call, ports, format: 'markdown' })
  await insist(ports, 'inbox.settle', { seq: call.seq, reason: 'command', at: ports.clock.now() })
}

/**
 * Foreign code: it may throw, hang and answer with anything; what is neither a text nor nothing is a failure. Its signal aborts when the
 * house closes, or when its time is over.
 */
async function runIsolated(command: Command, call: CommandCall, ports: CommandPorts): Promise<Isolated<string>> {
  const { clock, signal } = ports
  const { args, author, chat, sessionKey } = call
  const say = async (text: string): Promise<void> => runAsOurs(() => reply(String(text), { call, ports, isLast: false, format: 'markdown' }))
  const record = ports.recordOf(command)
  const end = afterGrace(signal, { clock, graceMs: closingGraceMs })
  try {
    const limits = { clock, timeoutMs: commandTimeoutMs, what: `command /${call.name}`, signal: end.signal }
    return await isolate(async (over) => {
      const context = { args, author, chat, sessionKey, signal: AbortSignal.any([signal, over]), reply: say }
      const run = async (): Promise<unknown> => await command.run(context)
      return textOf(await (record ? record.run(run) : run()))
    }, limits)
  } finally {
    end[Symbol.dispose]()
  }
}

/** Throws `TypeError` for what is no answer. */
function textOf(answer: unknown): string {
  if (answer === undefined || answer === null) return ''
  if (typeof answer === 'string') return answer
  throw new TypeError(`it must answer with a text or with nothing, and answered with ${typeof answer}`)
}
