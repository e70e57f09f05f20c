import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { chatWithBot } from './chat-with-bot.mjs'
import { runCommand } from './run-command.mjs'

/** Takes one step of a guide in a folder: writes its file, runs its command, or has its chat. Throws where it goes otherwise than the guide says. */
export async function takeStep(step, { folder, emulators }) {
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
