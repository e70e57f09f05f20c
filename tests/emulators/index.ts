// In: real client libraries over loopback, and a script of what people, models and the network do.
// Out: the platforms' wires, with what they accepted and what people see.
export * from './telegram/index.js'
export * from './openai/index.js'
export * from './anthropic/index.js'
