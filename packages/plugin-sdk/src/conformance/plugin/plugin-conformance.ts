import type { PlatformNatives } from '../../adapter.js'
import type { Awaitable } from '../../json.js'
import type { Plugin } from '../../plugin.js'
import { runGroups, type CaseGroups, type SkippedCases } from '../case-groups.js'
import type { SkippingTestApi } from '../test-api.js'
import { commandCases } from './command-cases.js'
import { handlerCases } from './handler-cases.js'
import { hookCases } from './hook-cases.js'
import { leaveCases } from './leave-cases.js'
import { loadCases } from './load-cases.js'
import { optionCases } from './option-cases.js'
import { PluginStage, type PluginHouse } from './plugin-stage.js'
import { secretCases } from './secret-cases.js'
import { toolCases } from './tool-cases.js'

/** What the suite needs to know of a plugin. */
export interface PluginConformance<Options extends object> {
  /** A new house that runs, with what the plugin requires and without the plugin itself. The suite stops it. */
  readonly open: () => Awaitable<PluginHouse>
  /** Makes the plugin, new each time. */
  readonly create: (options: Options) => Plugin
  /** Options that it takes, as many as there are. */
  readonly options: Options
  /** What must never appear in an error, a log, a result or a description: the values of the secrets in the options. */
  readonly secrets: readonly string[]
  /** Inputs for each tool that are done within five seconds, those that fail as well. */
  readonly inputs?: { readonly [tool: string]: readonly unknown[] } | undefined
  /** Arguments for commands; default: none, for every command once. */
  readonly args?: { readonly [command: string]: readonly string[] } | undefined
  /** A new native object of each platform that the plugin has handlers for. */
  readonly natives?: NativeMakers | undefined
  /** What this plugin does not have: `tools` or `tools: <promise>` → reason. */
  readonly skip?: SkippedCases | undefined
}

type NativeMakers = { readonly [P in keyof PlatformNatives]?: () => PlatformNatives[P] } & { readonly [platform: string]: () => unknown }

const groups: CaseGroups<PluginStage> = {
  load: loadCases,
  leave: leaveCases,
  options: optionCases,
  tools: toolCases,
  commands: commandCases,
  hooks: hookCases,
  'platform handlers': handlerCases,
  secrets: secretCases,
}

/**
 * The promises that every plugin keeps, as tests: `pluginConformance({ describe, it }, { open, create, options, secrets })`. What the plugin
 * registers is called here, with what a host would call it with. Throws for a name in `skip` that no group and no case has.
 */
export function pluginConformance<Options extends object>(test: SkippingTestApi, setup: PluginConformance<Options>): void {
  const { create, options, ...others } = setup
  const parts = { ...others, options, create: (given: object) => create(given as Options) }
  runGroups(test, groups, {
    skip: setup.skip,
    async play(check) {
      const stage = new PluginStage(parts)
      try {
        await check(stage)
      } finally {
        await stage.end()
      }
    },
  })
}
