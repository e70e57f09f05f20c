import type { Command } from '@hermes/plugin-sdk'
import { notices } from '../kernel/index.js'
import type { LaneStatus, SessionRecord } from '../store/index.js'
import type { MenuCommand } from './command-menu.js'
import { insist } from './insist.js'
import { mayRun, type CommandNeed } from './command-tier.js'
import { pair, whoAmI } from './people-commands.js'
import type { CommandCall, CommandPorts } from './ports.js'
import { reply } from './reply.js'

/** A command of the house: it does its own replying, so that an effect and its reply can be one transaction. */
export interface BuiltInCommand {
  readonly name: string
  readonly description: string
  readonly argumentHint?: string | undefined
  /** It stands in every menu of a platform, however small. */
  readonly isGuaranteed?: boolean | undefined
  /** Default: everybody who may speak. */
  readonly needs?: CommandNeed | undefined
  /** What is typed behind it is nothing for hooks. */
  readonly hidesArguments?: boolean | undefined
  run(call: CommandCall, ports: CommandPorts): Promise<void>
}

/** In the order in which `/help` shows them. None of them waits for a running turn. */
export const builtInCommands: readonly BuiltInCommand[] = [
  { name: 'help', description: 'Show what I understand', isGuaranteed: true, run: help },
  { name: 'whoami', description: 'Show who you are to me, and what you may do', run: whoAmI },
  { name: 'status', description: 'Show this conversation and what I am doing', isGuaranteed: true, run: status },
  { name: 'new', description: 'Begin a new conversation; what runs is stopped', isGuaranteed: true, run: renew },
  { name: 'stop', description: 'Stop what I am doing', isGuaranteed: true, run: stop },
  {
    name: 'pair',
    description: 'Let in the person who was shown this code',
    argumentHint: '<code>',
    needs: 'named-admin',
    hidesArguments: true,
    run: pair,
  },
]

/** Every command that menus choose from. A menu is shown to everybody, so what is for admins stands in none: they type it. */
export function menuOf(pluginCommands: readonly Command[]): readonly MenuCommand[] {
  const open = builtInCommands.filter((command) => command.needs === undefined)
  const ours = open.map(({ name, description, isGuaranteed = false }) => ({
    name,
    description,
    rank: isGuaranteed ? ('guaranteed' as const) : ('built-in' as const),
  }))
  const theirs = pluginCommands.filter((command) => command.tier !== 'admin')
  return [...ours, ...theirs.map(({ name, description, argumentHint }) => ({ name, description, argumentHint, rank: 'plugin' as const }))]
}

function help(call: CommandCall, ports: CommandPorts): Promise<void> {
  const commands = [...builtInCommands, ...ports.pluginCommands()].filter((command) => mayRun(call.tier, command))
  const lines = commands.map(({ name, argumentHint, description }) => `/${name}${argumentHint ? ` ${argumentHint}` : ''} – ${description}`)
  return reply(lines.join('\n'), { call, ports })
}

async function status(call: CommandCall, ports: CommandPorts): Promise<void> {
  const found = await insist(ports, 'session.get', { key: call.sessionKey })
  return reply(found ? describe(found.session, found.lane, ports) : 'No conversation yet.', { call, ports })
}

function describe(session: SessionRecord, lane: LaneStatus, ports: CommandPorts): string {
  const isWorking = ports.turns.isBusy(lane.conversation)
  return [
    `Conversation: ${lane.messages} messages, since ${new Date(lane.startedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    `State: ${isWorking ? 'working' : 'idle'}${lane.waiting > 0 ? `, ${lane.waiting} waiting` : ''}`,
    `Session: ${session.key} (generation ${session.generation})`,
  ].join('\n')
}

async function renew(call: CommandCall, ports: CommandPorts): Promise<void> {
  const found = await insist(ports, 'session.get', { key: call.sessionKey })
  if (!found) return reply(notices['new.done'](), { call, ports })
  const args = {
    key: call.sessionKey,
    conversation: found.session.conversation,
    next: ports.ids.next('conversation'),
    reason: 'new' as const,
    at: ports.clock.now(),
    settles: { seq: call.seq, reason: 'command' },
    outbox: ports.delivery.compose(call.chat, notices['new.done'](), { replyTo: call.replyTo, format: 'plain' }),
  }
  const renewed = await insist(ports, 'session.renew', args)
  if (!renewed.isRenewed) return reply(notices['new.done'](), { call, ports })
  void ports.hooks.tell('sessionEnd', { sessionKey: call.sessionKey, chat: found.session.chat, reason: 'new' })
  ports.turns.abandon(found.session.conversation)
  ports.delivery.take(renewed.outbox)
  ports.turns.wake(args.next)
}

async function stop(call: CommandCall, ports: CommandPorts): Promise<void> {
  const found = await insist(ports, 'session.get', { key: call.sessionKey })
  const isStopped = found ? await ports.turns.stop(found.session.conversation, 'stop') : false
  return reply(notices[isStopped ? 'stop.done' : 'stop.idle'](), { call, ports })
}
