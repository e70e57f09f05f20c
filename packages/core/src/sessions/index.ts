// The address and author of a message come in; the key of its session goes out.

export { profileOfInstance, sessionKey, type SessionRules, type SessionSource } from './session-key.js'
