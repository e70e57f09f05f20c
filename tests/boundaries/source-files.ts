import { readdir, readFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** A source file by its path from the root of the repository, with `/`. */
export type SourceFiles = ReadonlyMap<string, string>

const sourceName = /\.(?:ts|mts|mjs|js)$/
const textName = /(?:\.(?:ts|cts|mts|js|cjs|mjs|json|yaml|md)|run)$/
const skipped = new Set(['node_modules', 'dist', 'coverage', '.git'])

/** All sources under some folders of the repository. */
export function readSourceFiles(folders: readonly string[]): Promise<SourceFiles> {
  return readFiles(folders, sourceName)
}

/** Everything of the repository that people wrote. */
export function readTextFiles(): Promise<SourceFiles> {
  return readFiles(['.'], textName)
}

async function readFiles(folders: readonly string[], name: RegExp): Promise<SourceFiles> {
  const paths = (await Promise.all(folders.map((folder) => listFiles(folder, name)))).flat().toSorted()
  const texts = await Promise.all(paths.map((path) => readFile(join(repository, path), 'utf8')))
  return new Map(paths.map((path, index) => [path, texts[index] ?? '']))
}

async function listFiles(folder: string, name: RegExp): Promise<string[]> {
  const entries = await readdir(join(repository, folder), { withFileTypes: true })
  const lists = entries.map(async (entry) => {
    const path = posix.join(folder, entry.name)
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : listFiles(path, name)
    return name.test(entry.name) ? [path] : []
  })
  return (await Promise.all(lists)).flat()
}
