// A clock comes in; a store that lives as long as its process goes out.

export { memoryStore } from './memory-store.js'
