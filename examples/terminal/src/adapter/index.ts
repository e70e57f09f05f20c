// Two streams come in: what a person types, and where the answers are shown.
// A plugin that serves them as a platform with one direct chat goes out.

export { localChat } from './terminal-adapter.js'
export { terminal } from './terminal.js'
