// Options come in; a running house goes out. The only room that knows every station.

export { createGateway, type Gateway, type GatewayHealth } from './gateway.js'
export type { AdapterHealth } from './adapter-directory.js'
export type { GatewayAccess } from './gateway-access.js'
export type { GatewayOptions } from './gateway-options.js'
