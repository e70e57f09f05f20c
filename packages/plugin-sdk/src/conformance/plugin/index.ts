// A plugin and a house to load it into come in.
// Tests go out: what every plugin promises its host.

export { pluginConformance, type PluginConformance } from './plugin-conformance.js'
export type { PluginHouse } from './plugin-stage.js'
