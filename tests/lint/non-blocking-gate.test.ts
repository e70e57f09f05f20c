import { describe, expect, it } from 'vitest'
import { readSourceFiles } from '../boundaries/source-files.js'
import { createLintRig, readSource } from './lint-rig.js'

const gateRules = ['node/no-sync', 'hermes/no-blocking-in-async', 'eslint/no-restricted-imports']

/** Where blocking is allowed. It may only become shorter: what must block belongs into a worker. */
const exemptions = new Set([
  'packages/core/src/sqlite/worker.ts',
  'packages/core/src/sqlite/worker/**',
  '**/*.test.ts',
  '**/*.test-d.ts',
  'tests/**',
  'bench/**',
  'scripts/**',
])

interface LintConfig {
  readonly rules: Readonly<Record<string, unknown>>
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: Readonly<Record<string, unknown>> }[]
  readonly ignorePatterns: readonly string[]
}

async function readConfig(): Promise<LintConfig> {
  return JSON.parse(await readSource('.oxlintrc.json')) as LintConfig
}

// turns-and-processes T74
describe('the gate against blocking calls', () => {
  it('fails when a blocking call is added to an async file of the gateway', async () => {
    const path = 'packages/core/src/gateway/gateway.ts'
    const source = await readSource(path)
    await using rig = await createLintRig()
    await rig.write(path, source)
    expect(await rig.lint()).toEqual([])

    const spoiled = source.replace(/async [^;]*?\{\n/, (opening) => `${opening}    fs.readFileSync('settings.json')\n`)
    expect(spoiled).not.toBe(source)
    await rig.write(path, `import fs from 'node:fs'\n${spoiled}`)
    const codes = (await rig.lint()).map(({ code }) => code)
    expect(codes).toContain('node(no-sync)')
    expect(codes).toContain('hermes(no-blocking-in-async)')
  })

  it('refuses the database driver outside of its worker', async () => {
    await using rig = await createLintRig()
    await rig.write('packages/core/src/delivery/spoiled.ts', `import Database from 'better-sqlite3'\nexport const database = new Database('x')\n`)
    expect(await rig.lint()).toMatchObject([{ code: 'eslint(no-restricted-imports)' }])
  })

  it('is on, and linting runs with types, so that no promise floats', async () => {
    const { rules } = await readConfig()
    expect(rules).toMatchObject({ 'node/no-sync': 'error', 'hermes/no-blocking-in-async': 'error', 'typescript/no-floating-promises': 'error' })
    const { scripts } = JSON.parse(await readSource('package.json')) as { scripts: Record<string, string> }
    expect(scripts['lint']).toContain('oxlint --type-aware --deny-warnings')
    expect(scripts['check']).toContain('pnpm lint')
  })

  it('has exemptions that do not grow', async () => {
    const { overrides, ignorePatterns } = await readConfig()
    const exempt = overrides.filter(({ rules }) => gateRules.some((rule) => rule in rules)).flatMap(({ files }) => files)
    expect(exempt.filter((files) => !exemptions.has(files))).toEqual([])
    expect(ignorePatterns).toEqual(['**/dist/**', '**/node_modules/**', '**/coverage/**', 'scripts/consumer/**'])
  })

  it('is switched off by no comment', async () => {
    const sources = await readSourceFiles(['packages', 'examples'])
    expect([...sources].filter(([, text]) => switchesGateOff(text)).map(([path]) => path)).toEqual([])
  })
})

/** A comment that names a rule of the gate, or none, and so all. */
function switchesGateOff(text: string): boolean {
  const comments = text.match(/(?:oxlint|eslint)-disable[^\n]*/g) ?? []
  return comments.some(
    (comment) => !/-disable(?:-next-line|-line)? [\w/-]+/.test(comment) || /no-sync|no-blocking|no-restricted-imports/.test(comment),
  )
}
