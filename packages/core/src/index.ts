// Everything to run an agent comes in here: a gateway between chats and an agent, or the agent's engine alone.
// The order is that of the readers: composers of gateways, authors of agents, authors of stores.

export { createGateway, type AdapterHealth, type Gateway, type GatewayAccess, type GatewayHealth, type GatewayOptions } from './gateway/index.js'
export type { AccessMode, PairingApproval, PairingChoice, PairingList, WaitingPerson } from './access/index.js'
export type { DeliveryStatus } from './delivery/index.js'
export { grant, type GrantedPlugin, type PluginEntry } from './hooks/index.js'
export type { GatewayHooks, HookHealth, PluginHealth, TappableHook, TappableSyncHook } from './hooks/index.js'
export { fullyDurable, memoryStore, readingCommands, repeatableCommands } from './store/index.js'

export {
  createAgent,
  runTurn,
  type Agent,
  type AgentOptions,
  type AiToolSet,
  type AgentRun,
  type Model,
  type RunInput,
  type TurnJournal,
  type TurnResult,
} from './engine/index.js'

export type { ExecuteOptions, InboxSettlement, StateStore, StoreCommandName, StoreCommands, StoreHealth } from './store/index.js'
export type {
  InboxRecord,
  LaneRecord,
  LaneRoute,
  LaneStatus,
  NewInboxRecord,
  NewOutboxRecord,
  OutboxRecord,
  OutboxState,
  PairedPerson,
  PairingLock,
  PairingRecords,
  PairingRequest,
  PromptSnapshot,
  RunOrder,
  RunRecord,
  SessionRecord,
  StoredOutcome,
  ToolIntent,
  Transcript,
  TurnClaim,
  TurnEnding,
  TurnFact,
} from './store/index.js'
export type { Ids } from './kernel/index.js'
