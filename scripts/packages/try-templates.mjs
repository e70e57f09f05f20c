import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readGuide } from './read-guide.mjs'
import { runCommand } from './run-command.mjs'
import { takeStep } from './take-step.mjs'

/** The examples that are there to be copied: one of each kind of package. */
const templates = ['custom-adapter', 'custom-plugin', 'own-loop-ai-sdk', 'own-loop-pi']

/**
 * Copies every template into an empty folder outside of the repository, installs it from the packed tarballs, and takes the steps of its README
 * there: it must build, pass its tests, and answer in a chat. Throws at the first step that goes otherwise.
 */
export async function tryTemplates(repository, packed, emulators) {
  for (const name of templates) {
    // oxlint-disable-next-line eslint/no-await-in-loop -- a machine with few cores installs no faster in parallel
    await tryTemplate(repository, name, { packed, emulators })
    console.log(`examples/${name} is a package of its own where it is copied to`)
  }
}

async function tryTemplate(repository, name, { packed, emulators }) {
  const template = join(repository, 'examples', name)
  const folder = await mkdtemp(join(tmpdir(), 'hermes-template-'))
  try {
    await cp(template, folder, { recursive: true, filter: (path) => !['node_modules', 'dist'].includes(basename(path)) })
    await takePackedPackages(join(folder, 'package.json'), packed)
    await install(repository, { template, folder })
    // oxlint-disable-next-line eslint/no-await-in-loop -- the steps of a guide are taken one after another
    for (const step of await readGuide(join(folder, 'README.md'))) await takeStep(step, { folder, emulators })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Puts the tarballs where a stranger puts the versions that are published. */
async function takePackedPackages(manifest, packed) {
  const content = JSON.parse(await readFile(manifest, 'utf8'))
  for (const { name, version, tarball } of packed) {
    for (const kind of ['dependencies', 'devDependencies']) if (content[kind]?.[name]) content[kind][name] = `file:${tarball}`
    // A peer is named by a range; what is installed for it is the tarball.
    if (content.peerDependencies?.[name]) content.peerDependencies[name] = `^${version}`
  }
  await writeFile(manifest, JSON.stringify(content))
}

/**
 * Installs what the copy names, by pnpm: it is the quicker one, and lets nobody see what he does not name. The addon of SQLite, minutes of work
 * where no prebuilt one can be fetched, is that of the repository.
 */
async function install(repository, { template, folder }) {
  const { packageManager } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'))
  await runCommand('npx', ['--yes', packageManager, 'install', '--ignore-workspace', '--ignore-scripts', '--prefer-offline'], { cwd: folder })
  const { dependencies, devDependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
  if (!{ ...dependencies, ...devDependencies }['better-sqlite3']) return
  const addon = 'node_modules/better-sqlite3/build/Release/better_sqlite3.node'
  await mkdir(join(folder, addon, '..'), { recursive: true })
  // One that is there belongs to the store of pnpm.
  await cp(join(template, addon), join(folder, addon), { force: false })
}
