import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const repository = fileURLToPath(new URL('../..', import.meta.url))

const oxlint = join(repository, 'node_modules/oxlint/bin/oxlint')

/** One finding of the linter: the rule as `plugin(name)`, and its file relative to the folder that was linted. */
export interface Finding {
  readonly code: string
  readonly filename: string
}

/** A folder with the lint gate of this repository and files of a test. */
export interface LintRig extends AsyncDisposable {
  write(path: string, text: string): Promise<void>
  lint(): Promise<readonly Finding[]>
}

/** A copy of the gate in a temporary folder, gone when the rig is disposed. The type-aware rules are left out: they need the whole program. */
export async function createLintRig(): Promise<LintRig> {
  const folder = await mkdtemp(join(tmpdir(), 'hermes-lint-'))
  await cp(join(repository, '.oxlintrc.json'), join(folder, '.oxlintrc.json'))
  await cp(join(repository, 'scripts/lint'), join(folder, 'scripts/lint'), { recursive: true })
  return {
    async write(path, text) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    },
    lint: () => lint(folder),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}

/** A file of this repository. */
export function readSource(path: string): Promise<string> {
  return readFile(join(repository, path), 'utf8')
}

function lint(folder: string): Promise<readonly Finding[]> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [oxlint, '--format=json', '.'], { cwd: folder }, (error, stdout, stderr) => {
      // 1 says that there are findings.
      if (error && error.code !== 1) reject(new Error(`oxlint failed: ${stderr}${stdout}`, { cause: error }))
      else resolve((JSON.parse(stdout) as { diagnostics: Finding[] }).diagnostics)
    })
  })
}
