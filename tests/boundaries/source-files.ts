import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** A source file by its path from the root of the repository, with `/`. */
export type SourceFiles = ReadonlyMap<string, string>

const sourceName = /\.(?:ts|mts|mjs|js)$/
const skipped = new Set(['node_modules', 'dist', 'coverage'])

/** All sources under some folders of the repository. */
export async function readSourceFiles(folders: readonly string[]): Promise<SourceFiles> {
  const paths = (await Promise.all(folders.map(listSources))).flat().toSorted()
  const texts = await Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')))
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']))
}

async function listSources(folder: string): Promise<string[]> {
  const entries = await readdir(join(repository, folder), { withFileTypes: true })
  const lists = entries.map(async (entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listSources(path)
    return sourceName.test(entry.name) ? [path] : []
  })
  return (await Promise.all(lists)).flat()
}
