import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor'

// Writes what each door of each published package shows to others, from the built declarations, into `packages/<name>/api/<door>.api.md`. With
// `--check` it writes nothing, prints what differs, and fails: so a change of the public face stands in the commit that makes it.

const repository = fileURLToPath(new URL('..', import.meta.url))
const isCheck = process.argv.includes('--check')
const drafts = await mkdtemp(join(tmpdir(), 'hermes-api-'))
try {
  const packages = await readPackages()
  const doors = packages.flatMap(doorsOf)
  // One program for all doors, with the strictness of a strict consumer; grammY's declarations need the DOM.
  const [first, ...others] = doors.map(({ config }) => config)
  const compilerState = CompilerState.create(first, { additionalEntryPoints: others.map((config) => config.mainEntryPointFilePath) })
  await Promise.all(packages.map(({ folder }) => mkdir(join(folder, 'api'), { recursive: true })))
  const changed = doors.filter(({ config }) => report(config, compilerState)).map(({ file }) => file)
  const stale = await dropStale(packages, new Set(doors.map(({ file }) => file)))
  for (const file of [...changed, ...stale]) console.log(`${isCheck ? 'Not up to date' : 'Written'}: ${file.slice(repository.length)}`)
  if (!isCheck) console.log(`${doors.length} doors are reported`)
  else if (changed.length + stale.length === 0) console.log(`${doors.length} doors are as their reports say`)
  else {
    console.error('The public face is not as the reports say: run `pnpm api`, read what changed, and commit it')
    process.exitCode = 1
  }
} finally {
  await rm(drafts, { recursive: true })
}

async function readPackages() {
  const folders = (await readdir(join(repository, 'packages'))).map((name) => join(repository, 'packages', name))
  const all = await Promise.all(
    folders.map(async (folder) => ({ folder, manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) })),
  )
  return all.filter(({ manifest }) => !manifest.private)
}

function doorsOf({ folder, manifest }) {
  return Object.entries(manifest.exports).map(([door, { types }]) => {
    const name = door === '.' ? 'index' : door.slice('./'.length)
    return { file: join(folder, 'api', `${name}.api.md`), config: configOf(folder, { name, types: join(folder, types) }) }
  })
}

function configOf(folder, { name, types }) {
  const compilerOptions = {
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable', 'dom'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
  }
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(folder, 'package.json'),
    configObject: {
      projectFolder: folder,
      mainEntryPointFilePath: types,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [types] } },
      // What a door leads to without exporting its name belongs to the face as well.
      apiReport: { enabled: true, reportFileName: name, reportFolder: join(folder, 'api'), reportTempFolder: drafts, includeForgottenExports: true },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        extractorMessageReporting: Object.fromEntries(
          ['ae-forgotten-export', 'ae-missing-release-tag', 'ae-undocumented'].map((id) => [id, { logLevel: 'none' }]),
        ),
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
  })
}

/** Whether the report had to be written anew, or must be. Throws where the declarations cannot be read. */
function report(config, compilerState) {
  const complaints = []
  const result = Extractor.invoke(config, {
    compilerState,
    localBuild: !isCheck,
    printApiReportDiff: isCheck,
    messageCallback(message) {
      message.handled = true
      if (message.messageId === 'console-api-report-diff') console.log(message.text)
      else if (message.logLevel === 'error') complaints.push(message.text)
    },
  })
  if (complaints.length > 0) throw new Error(`${config.mainEntryPointFilePath}:\n${complaints.join('\n')}`)
  return result.apiReportChanged
}

/** Reports of doors that are gone. */
async function dropStale(packages, wanted) {
  const found = await Promise.all(packages.map(async ({ folder }) => (await readdir(join(folder, 'api'))).map((name) => join(folder, 'api', name))))
  const stale = found.flat().filter((file) => !wanted.has(file))
  if (!isCheck) await Promise.all(stale.map((file) => rm(file)))
  return stale
}
