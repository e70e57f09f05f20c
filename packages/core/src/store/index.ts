// Named commands with plain data come in; durable records go out. The stores themselves: `memory/` here, `../sqlite/`.

export { appliedMemoryMs } from './applied-memory.js'
export { fullyDurable, readingCommands, repeatableCommands, type InboxSettlement, type StoreCommandName, type StoreCommands } from './commands.js'
export type { CommandGroup, CommandHandlers } from './command-handlers.js'
export { injectedRecord, injectedText, type Injection } from './injected-event.js'
export { memoryStore } from './memory/index.js'
export { newOutboxRecord } from './outbox-record.js'
export type * from './collection-records.js'
export type * from './pairing-records.js'
export type * from './records.js'
export type { ExecuteOptions, StateStore, StoreHealth } from './state-store.js'
export { persist, type PersistOptions } from './persist.js'
export { endingAfterStop, isRefusedAfterStop, stoppedByRenewal } from './stop-rule.js'
