import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a directory and those that are missing above it, each with `mode`. What stands at the path already is left as it is, also a file.
 * Level by level: `mkdir` with `recursive` never returns on Node 20 where a file system takes no directories, such as /proc.
 */
export async function makeDirectory(path: string, mode?: number): Promise<void> {
  if (await exists(path)) return
  await makeDirectory(dirname(path), mode)
  await mkdir(path, mode).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error
  })
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}
