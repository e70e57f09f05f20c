import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runCommand } from './run-command.mjs'

/** Packs every package that is published, as it would be. Returns their names, doors and tarballs. */
export async function packPackages(repository, destination) {
  const { packageManager } = await readJson(join(repository, 'package.json'))
  const folders = (await readdir(join(repository, 'packages'))).map((name) => join(repository, 'packages', name))
  const packed = []
  for (const folder of folders) {
    const { name, private: isPrivate, exports } = await readJson(join(folder, 'package.json'))
    if (isPrivate) continue
    // oxlint-disable-next-line eslint/no-await-in-loop -- a machine with few cores packs no faster in parallel
    const printed = await runCommand('npx', ['--yes', packageManager, 'pack', '--json', '--pack-destination', destination], { cwd: folder })
    const { filename } = JSON.parse(printed)
    packed.push({ name, doors: Object.keys(exports).map((door) => name + door.slice(1)), tarball: filename })
  }
  return packed
}

async function readJson(path) {
  return JSON.parse(await readFile(path, 'utf8'))
}
