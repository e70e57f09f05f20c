// In: requests of a chat-completions client over HTTP, and a script of what the model says.
// Out: streamed answers, tool calls and errors, and the requests that came.
export { startOpenAiEmulator } from './emulator.js'
export type { ModelRequest, OpenAiEmulator } from './emulator.js'
export type { ModelStep, ScriptedToolCall } from './model-step.js'
