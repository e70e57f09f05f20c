// In: requests of a messages client over HTTP, and a script of what the model thinks, says and calls.
// Out: streamed messages, refusals and errors inside streams, and the requests that came.
export { startAnthropicEmulator } from './emulator.js'
export type { AnthropicEmulator, AnthropicRequest } from './emulator.js'
export type { AnthropicStep } from './message-step.js'
