import assert from 'node:assert/strict'
import { inspect } from 'node:util'
import { within } from '../waiting.js'
import { runCommand } from './command-cases.js'
import { callTap, samplesFor } from './hook-cases.js'
import { refusalOf, withUnknownKeys } from './option-cases.js'
import type { PluginCase, PluginStage, Stay } from './plugin-stage.js'
import { callsIn, runTool, schemaOf } from './tool-cases.js'

/** What nobody may read. */
export const secretCases: readonly PluginCase[] = [
  [
    'stand in no refusal of options',
    async (stage) =>
      assertNone(
        stage,
        withUnknownKeys(stage.setup.options).map(([, options]) => refusalOf(stage, options)),
      ),
  ],
  [
    'stand in nothing that a model or a person reads of tools and commands',
    async (stage) => {
      const { record } = await stage.load()
      assertNone(stage, [
        [...record.tools].map((tool) => [tool.description, schemaOf(tool)]),
        [...record.commands].map(({ description }) => description),
      ])
    },
  ],
  [
    'stand in no result, no error and no log',
    async (stage) => {
      const stay = await stage.load()
      const said = await all(workOf(stay, stage))
      await stay.leave()
      assertNone(stage, [said, stay.record.log, stay.record.undoFailures])
    },
  ],
]

/** All that the plugin does when it is asked to. */
function workOf({ record }: Stay, stage: PluginStage): readonly Promise<unknown>[] {
  return [
    ...callsIn(record.tools, (tool) => stage.setup.inputs?.[tool] ?? []).map((call) => runTool(call)),
    ...[...record.commands].flatMap((command) => stage.argsOf(command.name).map((args) => runCommand(command, args))),
    ...[...record.taps].flatMap((tap) => samplesFor(tap).map((payload) => callTap(tap, payload))),
  ]
}

function all(work: readonly Promise<unknown>[]): Promise<unknown> {
  return within(Promise.allSettled(work), 'all that the plugin does ends')
}

function assertNone({ setup }: PluginStage, said: unknown): void {
  const text = inspect(said, { depth: 12, showHidden: true, maxStringLength: null, maxArrayLength: null })
  for (const secret of setup.secrets) assert.ok(!text.includes(secret), 'a secret was said')
}
