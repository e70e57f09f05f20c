import { readFile } from 'node:fs/promises'

const fence = /(?:^`([^`\n]+)`:\n\n)?^```(\w*)\n(.*?)^```$/gms
/** What the caller does for the guide: a package, and what it needs. */
const provides = /^npm (?:init|install|pkg)\b/
const bot = /^TELEGRAM_BOT_TOKEN=\S+ node (\S+)$/

/**
 * The steps of a guide, in order. `` `src/x.ts`: `` above a block is a file with its text; a block of `sh` is commands, and a block of `text`
 * behind it is what the last of them prints, or the chat with the bot that it started. Installing is left to the caller, but what the files
 * import must have been installed. Throws for TypeScript that is no file.
 */
export async function readGuide(path) {
  const steps = []
  const installed = new Set()
  for (const [, file, language, text] of (await readFile(path, 'utf8')).matchAll(fence)) {
    if (file) {
      for (const name of importsOf(text)) if (!installed.has(name)) throw new Error(`${path}: ${file} imports ${name}, which is not installed above`)
      steps.push({ kind: 'file', path: file, text })
    } else if (language === 'sh') {
      for (const command of text.trim().split('\n')) {
        for (const name of installsOf(command)) installed.add(name)
        const started = bot.exec(command)?.[1]
        if (started) steps.push({ kind: 'chat', script: started })
        else if (!provides.test(command)) steps.push({ kind: 'command', command })
      }
    } else if (language === 'text') {
      const last = steps.at(-1)
      if (last?.kind === 'command') last.prints = text.trim()
      else if (last?.kind === 'chat') last.lines = text.trim().split('\n')
      else throw new Error(`${path}: nothing prints the text\n${text}`)
    } else throw new Error(`${path}: a block of ${language} names no file:\n${text}`)
  }
  return steps
}

/** The packages of `npm install …`, without versions and options. */
function installsOf(command) {
  const [npm, install, ...names] = command.split(' ')
  if (npm !== 'npm' || install !== 'install') return []
  return names.filter((name) => !name.startsWith('-')).map((name) => name.replace(/(?<=.)@.*$/, ''))
}

function importsOf(text) {
  const specifiers = [...text.matchAll(/^import (?:.* from )?'([^.'][^']*)'/gm)].map(([, specifier]) => specifier)
  return specifiers.filter((name) => !name.startsWith('node:')).map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)[0])
}
