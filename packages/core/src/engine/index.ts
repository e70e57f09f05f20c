// A transcript, tools and an agent loop come in, with a journal to write to.
// Events, an outcome and the grown transcript go out: one turn, run to its one end.

export type { AiToolSet } from './ai-tools.js'
export { createAgent, type Agent, type AgentOptions } from './agent.js'
export type { AgentRun, TurnResult } from './agent-run.js'
export { createFileMedia } from './file-media.js'
export { hostTurn } from './host-turn.js'
export type { HostedTurn } from './hosted-turn.js'
export { createMemoryMedia } from './memory-media.js'
export type { Model } from './model.js'
export { PromptBuilder } from './prompt-snapshot.js'
export { runTurn, type RunInput } from './run-turn.js'
export { noHooks, type TurnHooks } from './turn-hooks.js'
export type { TurnJournal } from './turn-journal.js'
