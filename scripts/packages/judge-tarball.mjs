import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { runCommand } from './run-command.mjs'

/** Throws for everything that publint or attw has to say against a tarball. */
export async function judgeTarball(repository, tarball) {
  const { buffer } = new Uint8Array(await readFile(tarball))
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, level: 'suggestion', strict: true })
  if (messages.length > 0) throw new Error(`publint on ${tarball}:\n${messages.map((message) => formatMessage(message, pkg)).join('\n')}`)
  const attw = join(repository, 'node_modules/@arethetypeswrong/cli/dist/index.js')
  await runCommand(process.execPath, [attw, tarball, '--profile', 'esm-only', '--format', 'ascii'])
}
