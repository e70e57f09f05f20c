// Plugins come in; what they registered goes out, with its owner: platforms, tools and commands.
// What a plugin breaks stays its own: it is caught, said in the log and in the health, and undone.

export { createPluginHost, type AttachPlatform, type PluginHealth, type PluginHost, type PluginHostPorts } from './plugin-host.js'
