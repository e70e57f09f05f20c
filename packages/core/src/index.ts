// Everything to run an agent comes in here: a gateway between chats and an agent, or the agent's engine alone.
// The order is that of the readers: composers of gateways, authors of agents, authors of stores and tests.

export { createGateway, type Gateway, type GatewayHealth } from './gateway/index.js'
export type { GatewayOptions } from './gateway/index.js'
