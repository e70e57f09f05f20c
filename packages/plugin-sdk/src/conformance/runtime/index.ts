// An agent loop over a model that plays a script, and the host that runs its turns, come in.
// Tests go out: what every loop promises its host.

export type { ModelScript, ScriptedCall, ScriptedReply, SentMessage } from './model-script.js'
export { agentRuntimeConformance, type RuntimeConformance } from './runtime-conformance.js'
export type { RunUnderTest, TurnHost, TurnInput } from './turn-host.js'
