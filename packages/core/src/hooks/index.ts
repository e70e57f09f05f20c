// Plugins come in; what they registered goes out, with its owner: platforms, tools, commands, and taps of the hooks that stations call.
// What a plugin breaks stays its own: it is caught, said in the log and in the health, and undone.

export type { CallRecord } from './call-record.js'
export type { GatewayHooks, TappableHook, TappableSyncHook } from './gateway-hooks.js'
export { grant, granted, missingGrants, type GrantedPlugin, type PluginEntry } from './grants.js'
export { createHookBus, type HookBus, type WatchingHook } from './hook-bus.js'
export type { DispatchVerdict, ToolVerdict } from './hook-folds.js'
export type { HookHealth } from './hook-health.js'
export { loadingOrder } from './loading-order.js'
export type { NativeWiring } from './platform-handlers.js'
export { createPluginHost, type AttachPlatform, type PluginHealth, type PluginHost, type PluginHostPorts } from './plugin-host.js'
export type { HostServices, ServedPlugin } from './plugin-scope.js'
