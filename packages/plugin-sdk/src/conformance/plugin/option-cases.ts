import assert from 'node:assert/strict'
import { HermesError } from '../../errors.js'
import type { PluginCase, PluginStage } from './plugin-stage.js'

const unknownKey = 'optionOfNobody'

/** What a plugin takes. */
export const optionCases: readonly PluginCase[] = [
  [
    'that are unknown are refused, each with its path',
    async (stage) => {
      for (const [path, options] of withUnknownKeys(stage.setup.options)) {
        const error = refusalOf(stage, options)
        assert.ok(HermesError.is(error, 'options.invalid'), `${path}: it threw ${String(error)}, and not the error of parseOptions()`)
        const paths = error.detail.issues.map((issue) => issue.path)
        assert.ok(paths.includes(path), `the refusal names ${paths.join(', ')}, and not ${path}`)
      }
    },
  ],
  [
    'stay as they were given',
    async (stage) => {
      const before = structureOf(stage.setup.options)
      stage.setup.create(stage.setup.options)
      assert.equal(structureOf(stage.setup.options), before)
    },
  ],
]

/** What the factory throws. */
export function refusalOf({ setup }: PluginStage, options: object): unknown {
  try {
    setup.create(options)
  } catch (error) {
    return error
  }
  return undefined
}

/** The options with an unknown key: at their top, and in each object in them. */
export function withUnknownKeys(options: object): readonly (readonly [path: string, options: object])[] {
  const nested = Object.entries(options).flatMap(([key, value]) =>
    isPlain(value) ? withUnknownKeys(value).map(([path, changed]) => [`${key}.${path}`, { ...options, [key]: changed }] as const) : [],
  )
  return [[unknownKey, { ...options, [unknownKey]: true }], ...nested]
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function structureOf(options: object): string {
  return JSON.stringify(options, (_key, value: unknown) => (typeof value === 'function' ? String(value) : value))
}
