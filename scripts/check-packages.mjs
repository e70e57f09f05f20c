import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { copyExamplesOfReadme } from './packages/copy-examples-of-readme.mjs'
import { followGuides } from './packages/follow-guides.mjs'
import { judgeTarball } from './packages/judge-tarball.mjs'
import { packPackages } from './packages/pack-packages.mjs'
import { runCommand } from './packages/run-command.mjs'
import { tryTemplates } from './packages/try-templates.mjs'

// Packs the built packages, looks at each tarball, installs all of them into an empty folder outside of the repository, and uses them there as a
// stranger does: by `import`, by `require`, by a type-check that looks into the declarations, and by following the guides of `docs/` word by word.
// better-sqlite3 is not installed there: an optional peer. Then the templates of `examples/` are copied, each to an empty folder, and tried.

const repository = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'hermes-packages-'))
try {
  const packed = await packPackages(repository, folder)
  for (const { name, tarball } of packed) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- the first complaint is enough
    await judgeTarball(repository, tarball)
    console.log(`${name}: the tarball is sound`)
  }
  const emulators = await import(pathToFileURL(join(repository, 'tests/dist/emulators/index.js')).href)
  // Side by side: the one mostly waits for disks where the other works.
  const ends = await Promise.allSettled([useAsStranger(packed, emulators), tryTemplates(repository, packed, emulators)])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
} finally {
  await rm(folder, { recursive: true })
}

async function useAsStranger(packed, emulators) {
  await cp(join(repository, 'scripts/consumer'), folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const tarballs = packed.map(({ tarball }) => tarball)
  await runCommand('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs, ...(await readTools())], { cwd: folder })

  const doors = packed.flatMap((each) => each.doors)
  for (const script of ['import-doors.mjs', 'require-doors.cjs']) console.log(await runCommand(process.execPath, [script, ...doors], { cwd: folder }))
  for (const { name } of packed) {
    const shortName = name.split('/')[1]
    await copyExamplesOfReadme(join(repository, 'packages', shortName, 'README.md'), folder, shortName)
  }
  for (const project of ['tsconfig.json', 'tsconfig.telegram.json']) await runCommand('npx', ['tsc', '-p', project], { cwd: folder })
  console.log('The declarations hold with library checks on, and so do the examples of the READMEs')
  await followGuides(repository, folder, emulators)
}

/** What a consumer installs beside the packages, in the versions of this repository. */
async function readTools() {
  const manifests = ['package.json', 'packages/plugin-sdk/package.json', 'packages/adapter-telegram/package.json']
  const texts = await Promise.all(manifests.map((path) => readFile(join(repository, path), 'utf8')))
  const versions = Object.assign({}, ...texts.map((text) => JSON.parse(text).devDependencies))
  return ['typescript', '@types/node', '@types/node-fetch', 'zod'].map((name) => `${name}@${versions[name]}`)
}
