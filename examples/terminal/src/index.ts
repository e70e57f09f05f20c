// The environment comes in; a conversation goes on: on Telegram, in this terminal, or by script where there is no terminal.
// The exit code says whether it worked. README.md lists the variables.

import { chatInTerminal } from './demo/chat-in-terminal.js'
import { playConversation } from './demo/play-conversation.js'
import { serveTelegram } from './demo/serve-telegram.js'
import { readSettings } from './demo/settings.js'

try {
  const settings = readSettings(process.env)
  if (settings.telegram) await serveTelegram(settings.telegram, settings)
  else if (process.stdin.isTTY && process.stdout.isTTY) await chatInTerminal(settings)
  else await playConversation(settings)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
