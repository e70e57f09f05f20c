// The test functions of a runner and something built on hermes come in.
// Tests go out: the promises that each kind of building block keeps.

export * from './adapter/index.js'
export * from './plugin/index.js'
export * from './runtime/index.js'
export type { SkippedCases } from './case-groups.js'
export type { SkippingTestApi, TestApi } from './test-api.js'
