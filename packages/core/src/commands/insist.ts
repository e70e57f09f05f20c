import { persist, type StoreCommandName, type StoreCommands } from '../store/index.js'
import type { CommandPorts } from './ports.js'

/** Tries a command of the store until it takes it, or the house closes: whoever typed something is waiting for its answer. */
export function insist<N extends StoreCommandName>(
  ports: CommandPorts,
  name: N,
  args: StoreCommands[N]['args'],
): Promise<StoreCommands[N]['result']> {
  return persist(ports.store, { id: ports.ids.next('command'), name, args }, { clock: ports.clock, signal: ports.signal })
}
