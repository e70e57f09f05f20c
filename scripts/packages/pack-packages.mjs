import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.mjs'

/** Packs every package that is published, as it would be. Returns their names, versions, doors and tarballs. */
export async function packPackages(repository, destination) {
  const folders = (await readdir(join(repository, 'packages'))).map((name) => join(repository, 'packages', name))
  const manifests = await Promise.all(folders.map((folder) => readJson(join(folder, 'package.json'))))
  const published = manifests.filter((manifest) => !manifest.private)
  const { packageManager } = await readJson(join(repository, 'package.json'))
  const filters = published.map(({ name }) => `--filter=${name}`)
  const pack = ['--yes', packageManager, '--recursive', ...filters, 'pack', '--json', '--pack-destination', destination]
  const packed = JSON.parse(await runCommand('npx', pack, { cwd: repository }))
  return published.map(({ name, version, exports }) => {
    const doors = Object.keys(exports).map((door) => name + door.slice(1))
    return { name, version, doors, tarball: packed.find((each) => each.name === name).filename }
  })
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'))
}
