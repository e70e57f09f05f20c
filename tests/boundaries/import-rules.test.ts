import { describe, expect, it } from 'vitest'
import { findCircles, toGraph } from './import-circles.js'
import { findForbiddenImports } from './import-rules.js'
import { readImports } from './module-imports.js'

const doors = new Set(['@hermes/plugin-sdk', '@hermes/core', '@hermes/core/testing', '@hermes/adapter-telegram', 'hermes-tests/emulators'])

/** The complaint about one import, in a house whose other files exist. */
function complaint(from: string, specifier: string, ...others: string[]): string {
  const files = new Map([[from, `import { x } from '${specifier}'`], ...others.map((path) => [path, ''] as const)])
  return findForbiddenImports(files, doors).join('\n')
}

describe('readImports', () => {
  it('finds every form of an import', () => {
    const text = [
      `import a from 'a'`,
      `import type { B } from 'b'`,
      `import {\n  type C,\n} from 'c'`,
      `import 'd'`,
      `export * from 'e'`,
      `export type { F } from 'f'`,
      `export { g }`,
      `const g = await import('g')`,
      `type H = import('h').H`,
      `let i: typeof import('i')`,
    ].join('\n')
    expect(readImports('x.ts', text)).toEqual([
      { specifier: 'a', isType: false },
      { specifier: 'b', isType: true },
      { specifier: 'c', isType: true },
      { specifier: 'd', isType: false },
      { specifier: 'e', isType: false },
      { specifier: 'f', isType: true },
      { specifier: 'g', isType: false },
      { specifier: 'h', isType: true },
      { specifier: 'i', isType: true },
    ])
  })

  it('is not misled by comments, strings and regular expressions', () => {
    const text = "// import a from 'a'\nconst b = `\nimport b from 'b'`\nconst c = /[`'\"]/\nconst d = \"import('d')\"\nimport e from 'e'"
    expect(readImports('x.ts', text)).toEqual([{ specifier: 'e', isType: false }])
  })

  it('refuses a file that cannot be parsed', () => {
    expect(() => readImports('x.ts', 'import {')).toThrow('x.ts cannot be parsed')
  })
})

describe('findForbiddenImports', () => {
  it.each([
    [
      'a room above',
      'packages/core/src/store/x.ts',
      '../delivery/index.js',
      'packages/core/src/delivery/index.ts',
      'store is on floor 2 and delivery on floor 3.',
    ],
    [
      'a neighbour',
      'packages/core/src/engine/x.ts',
      '../delivery/index.js',
      'packages/core/src/delivery/index.ts',
      'engine is on floor 3 and delivery on floor 3.',
    ],
    [
      'a file behind a door',
      'packages/core/src/gateway/x.ts',
      '../delivery/outbox.js',
      'packages/core/src/delivery/outbox.ts',
      'past the door of delivery',
    ],
    [
      'a file behind a door, from a test',
      'packages/core/src/gateway/x.test.ts',
      '../delivery/outbox.js',
      'packages/core/src/delivery/outbox.ts',
      'past the door of delivery',
    ],
    ['a room on no floor', 'packages/core/src/gateway/x.ts', '../cellar/index.js', 'packages/core/src/cellar/index.ts', 'cellar is on no floor'],
    [
      'a file of another package',
      'packages/adapter-foo/src/x.ts',
      '../../core/src/index.js',
      'packages/core/src/index.ts',
      'reaches into packages/core',
    ],
    [
      'a file of a package, from a test',
      'tests/x.test.ts',
      '../packages/core/src/index.js',
      'packages/core/src/index.ts',
      'reaches into packages/core',
    ],
    ['a file that is not there', 'packages/core/src/engine/x.ts', './gone.js', 'packages/core/src/engine/y.ts', 'no such file'],
  ])('refuses %s', (_, from, specifier, other, reason) => {
    expect(complaint(from, specifier, other)).toContain(reason)
  })

  it.each([
    ['more than zod in the contract', 'packages/plugin-sdk/src/x.ts', 'pino', 'the contract needs zod alone'],
    ['the core in the contract', 'packages/plugin-sdk/src/x.ts', '@hermes/core', 'must not know @hermes/core'],
    ['the core in an adapter', 'packages/adapter-foo/src/x.ts', '@hermes/core', 'must not know @hermes/core'],
    ['an adapter in the core', 'packages/core/src/gateway/x.ts', '@hermes/adapter-telegram', 'must not know @hermes/adapter-telegram'],
    ['an adapter in an adapter', 'packages/adapter-foo/src/x.test.ts', '@hermes/adapter-telegram', 'must not know @hermes/adapter-telegram'],
    ['a path into a package', 'examples/foo/src/x.ts', '@hermes/core/dist/index.js', 'that is no door'],
  ])('refuses %s', (_, from, specifier, reason) => {
    expect(complaint(from, specifier)).toContain(reason)
  })

  it.each([
    ['the door of a room below', 'packages/core/src/delivery/x.ts', '../store/index.js', 'packages/core/src/store/index.ts'],
    ['a file of the own room', 'packages/core/src/delivery/deep/x.ts', '../y.js', 'packages/core/src/delivery/y.ts'],
    ['a fake, from a test', 'packages/core/src/delivery/x.test.ts', '../testing/fake-clock.js', 'packages/core/src/testing/fake-clock.ts'],
    ['every room, from the front door', 'packages/core/src/index.ts', './gateway/index.js', 'packages/core/src/gateway/index.ts'],
  ])('allows %s', (_, from, specifier, other) => {
    expect(complaint(from, specifier, other)).toBe('')
  })

  it.each([
    ['the contract in an adapter', 'packages/adapter-foo/src/x.ts', '@hermes/plugin-sdk'],
    ['the core in a test of an adapter', 'packages/adapter-foo/src/x.test.ts', '@hermes/core/testing'],
    ['zod and node in the contract', 'packages/plugin-sdk/src/x.ts', 'node:util'],
    ['doors in an example', 'examples/foo/src/x.ts', 'hermes-tests/emulators'],
  ])('allows %s', (_, from, specifier) => {
    expect(complaint(from, specifier)).toBe('')
  })
})

describe('findCircles', () => {
  it('names the members of a circle', () => {
    expect(
      findCircles(
        toGraph([
          ['a', 'b'],
          ['b', 'c'],
          ['c', 'a'],
          ['c', 'd'],
        ]),
      ),
    ).toEqual(['a → b → c → a'])
  })

  it('finds none where two ways lead to one file', () => {
    expect(
      findCircles(
        toGraph([
          ['a', 'b'],
          ['a', 'c'],
          ['b', 'd'],
          ['c', 'd'],
          ['a', 'a'],
        ]),
      ),
    ).toEqual([])
  })
})
