import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chatWithBot } from './chat-with-bot.mjs'
import { readGuide } from './read-guide.mjs'
import { runCommand } from './run-command.mjs'

/**
 * Follows every guide of `docs/` word by word, beside the installed `node_modules` of `consumer`: writes the files that it shows, runs its
 * commands, compares what it says is printed, and has the chats that it shows. Throws at the first step that goes otherwise.
 */
export async function followGuides(repository, consumer) {
  const emulators = await import(pathToFileURL(join(repository, 'tests/dist/emulators/index.js')).href)
  const names = (await readdir(join(repository, 'docs'))).filter((name) => name.endsWith('.md'))
  for (const name of names) {
    const steps = await readGuide(join(repository, 'docs', name))
    const folder = join(consumer, 'guides', name.replace(/\.md$/, ''))
    await mkdir(folder, { recursive: true })
    await symlink(join(consumer, 'node_modules'), join(folder, 'node_modules'), 'dir')
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    // oxlint-disable-next-line eslint/no-await-in-loop -- the steps of a guide are taken one after another
    for (const step of steps) await take(step, { folder, emulators })
    console.log(`docs/${name} leads where it says`)
  }
}

async function take(step, { folder, emulators }) {
  if (step.kind === 'file') {
    const path = join(folder, step.path)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, step.text)
    return
  }
  if (step.kind === 'chat') return chatWithBot({ ...step, folder, telegram: await emulators.startTelegramEmulator() })
  const [program, ...args] = step.command.split(' ')
  const printed = await runCommand(program, args, { cwd: folder })
  if (step.prints !== undefined && printed !== step.prints)
    throw new Error(`\`${step.command}\` printed\n${printed}\nand the guide says\n${step.prints}`)
}
