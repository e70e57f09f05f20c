import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readGuide } from './read-guide.mjs'
import { takeStep } from './take-step.mjs'

/**
 * Follows every guide of `docs/` word by word, beside the installed `node_modules` of `consumer`: writes the files that it shows, runs its
 * commands, compares what it says is printed, and has the chats that it shows. Throws at the first step that goes otherwise.
 */
export async function followGuides(repository, consumer, emulators) {
  const names = (await readdir(join(repository, 'docs'))).filter((name) => name.endsWith('.md'))
  for (const name of names) {
    const steps = await readGuide(join(repository, 'docs', name))
    const folder = join(consumer, 'guides', name.replace(/\.md$/, ''))
    await mkdir(folder, { recursive: true })
    await symlink(join(consumer, 'node_modules'), join(folder, 'node_modules'), 'dir')
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
    // oxlint-disable-next-line eslint/no-await-in-loop -- the steps of a guide are taken one after another
    for (const step of steps) await takeStep(step, { folder, emulators })
    console.log(`docs/${name} leads where it says`)
  }
}
