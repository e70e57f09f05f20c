import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLintRig, type LintRig } from './lint-rig.js'

const rule = 'hermes(no-blocking-in-async)'

const blocking = {
  'a method': `import fs from 'node:fs'\nexport async function go() { fs.readFileSync('x') }`,
  'a computed method': `import fs from 'node:fs'\nexport async function go() { fs['readFileSync']('x') }`,
  'an alias': `import { readFileSync as read } from 'node:fs'\nexport const go = async () => read('x')`,
  'an alias by destructuring': `import fs from 'node:fs'\nconst { statSync: stat } = fs\nexport const go = async () => stat('x')`,
  'a callback inside of it': `import fs from 'node:fs'\nexport async function go(names) { return names.map((name) => fs.statSync(name)) }`,
  'Atomics.wait': `export async function go(cells) { Atomics.wait(cells, 0, 0) }`,
  'a database': `import Database from 'better-sqlite3'\nexport async function go() { return new Database('x') }`,
  'a database that is loaded late': `export const open = { async run() { return import('better-sqlite3') } }`,
}

const harmless = {
  'a function that is not async': `import fs from 'node:fs'\nexport function go() { return fs.readFileSync('x') }`,
  'a type of the driver': `import type { Database } from 'better-sqlite3'\nexport async function go(database: Database) { return database }`,
  'a wait that does not block': `export async function go(cells) { return Atomics.waitAsync(cells, 0, 0) }`,
  'a call of something else': `export async function go(queue) { await queue.wait() }`,
}

describe('no-blocking-in-async', () => {
  let rig: LintRig
  let found: ReadonlySet<string>

  const fileOf = (name: string) => `packages/sample/src/${name.replaceAll(' ', '-')}.ts`

  beforeAll(async () => {
    rig = await createLintRig()
    for (const [name, text] of [...Object.entries(blocking), ...Object.entries(harmless)]) await rig.write(fileOf(name), text)
    found = new Set((await rig.lint()).filter(({ code }) => code === rule).map(({ filename }) => filename))
  })
  afterAll(() => rig[Symbol.asyncDispose]())

  it.each(Object.keys(blocking))('refuses %s', (name) => {
    expect(found).toContain(fileOf(name))
  })

  it.each(Object.keys(harmless))('allows %s', (name) => {
    expect(found).not.toContain(fileOf(name))
  })
})
