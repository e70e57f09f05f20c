import { notices } from '../kernel/index.js'
import type { CallerTier, CommandCall, CommandPorts } from './ports.js'
import { reply } from './reply.js'

const rights: { readonly [tier in CallerTier]: string } = {
  admin: 'You are an admin: you may run every command.',
  user: 'You may run the commands of /help.',
  ungated: 'No admins are named: everybody who may speak to me may run every command but /pair.',
}

/** Tells people the ids that the options want, and what they may do. */
export function whoAmI(call: CommandCall, ports: CommandPorts): Promise<void> {
  const { author, chat, tier } = call
  const lines = [
    `You: ${author.name === undefined ? '' : `${author.name}, `}id ${author.id}`,
    `This chat: ${chat.kind}, id ${chat.chatId}, through ${chat.adapter}`,
    ...(author.roles && author.roles.length > 0 ? [`Your roles here: ${author.roles.join(', ')}`] : []),
    rights[tier],
  ]
  return reply(lines.join('\n'), { call, ports })
}

/** Lets in who was shown a code. */
export async function pair(call: CommandCall, ports: CommandPorts): Promise<void> {
  const code = call.args.trim()
  if (code === '') return reply(notices['pair.usage'](), { call, ports })
  const approval = await ports.pairing.approve(
    { adapter: call.chat.adapter, code },
    {
      by: call.author.id,
      settles: { seq: call.seq, reason: 'command' },
      reply: ({ name, userId }) =>
        ports.delivery.compose(call.chat, notices['pair.done'](name ?? userId), { replyTo: call.replyTo, format: 'plain' }),
    },
  )
  if (approval.outcome === 'approved') return undefined
  if (approval.outcome === 'unknown') return reply(notices['pair.unknown'](), { call, ports })
  const minutes = Math.ceil((approval.until - ports.clock.now()) / 60_000)
  return reply(notices['pair.locked'](minutes), { call, ports })
}
