import { persist } from '../store/index.js'
import type { CommandCall, CommandPorts } from './ports.js'

/** Says something in the chat of a command, durably; `settles` ends the command's row in the same transaction. */
export async function reply(
  call: CommandCall,
  text: string,
  ports: CommandPorts,
  { settles, format = 'plain' }: { readonly settles: boolean; readonly format?: 'plain' | 'markdown' },
): Promise<void> {
  const rows = ports.delivery.compose(call.chat, text, { replyTo: call.replyTo, format })
  const settlement = settles ? { seq: call.seq, reason: 'command' } : undefined
  const args = { rows, settles: settlement, at: ports.clock.now() }
  const stored = await persist(ports.store, { id: ports.ids.next('command'), name: 'outbox.add', args }, { clock: ports.clock, signal: ports.signal })
  ports.delivery.take(stored)
}
