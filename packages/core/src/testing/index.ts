// Doubles and suites for the tests of those who build on hermes go out; nothing here is needed at run time.

export { createHookBus, type HookBus } from '../hooks/index.js'
export { FakeClock } from './fake-clock.js'
export type { StoreUnderTest } from './store-cases/store-case.js'
export { storeConformance, type StoreConformance, type TestApi } from './store-conformance.js'
export { ScriptedModel, type Script, type ScriptedAnswer, type ScriptedModelOptions } from './scripted-model.js'
export type { ScriptStep } from './scripted-stream.js'
export { expectAlternation, expectSamePrefix } from './transcript-assertions.js'
