import { insist } from './insist.js'
import type { CommandCall, CommandPorts } from './ports.js'

/** What a reply belongs to. */
export interface ReplyFrame {
  readonly call: CommandCall
  readonly ports: CommandPorts
  /** It is the last word: it ends the command's row in the same transaction. Default true. */
  readonly isLast?: boolean
  /** Default `plain`. */
  readonly format?: 'plain' | 'markdown'
}

/** Says something in the chat of a command, durably. */
export async function reply(text: string, { call, ports, isLast = true, format = 'plain' }: ReplyFrame): Promise<void> {
  const rows = ports.delivery.compose(call.chat, text, { replyTo: call.replyTo, format })
  const settles = isLast ? { seq: call.seq, reason: 'command' } : undefined
  ports.delivery.take(await insist(ports, 'outbox.add', { rows, settles, at: ports.clock.now() }))
}
