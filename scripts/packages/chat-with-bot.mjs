import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/**
 * Runs a bot on an emulator of Telegram, and has the chat of a guide with it: lines of `you: …` are said, and each `bot: …` must be what comes
 * next. Throws with all that the bot printed where it says something else. Ends the bot, which has to end by itself, and the emulator.
 */
export async function chatWithBot({ script, lines, folder, telegram }) {
  const env = { ...process.env, TELEGRAM_BOT_TOKEN: telegram.token, TELEGRAM_API_ROOT: telegram.url }
  const bot = spawn(process.execPath, [join(folder, script)], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(bot, 'close')
  let printed = ''
  for (const stream of [bot.stdout, bot.stderr]) stream.setEncoding('utf8').on('data', (text) => (printed += text))
  const early = ended.then(([code]) => Promise.reject(new Error(`it ended with ${code} too early`)))
  early.catch(() => {})
  const waitFor = (probe) => Promise.race([telegram.waitFor(probe), early])
  try {
    await waitFor(() => telegram.updates.isPolled)
    const chat = telegram.addPrivateChat()
    let heard = 0
    for (const line of lines) {
      const [who, text] = [line.slice(0, 5), line.slice(5)]
      if (who === 'you: ') {
        telegram.say(chat, text)
        continue
      }
      // oxlint-disable-next-line eslint/no-await-in-loop -- people talk one after another
      const answer = await waitFor(() => telegram.answers(chat)[heard])
      heard++
      if (answer !== text) throw new Error(`the guide says “${text}”, and the bot said “${answer}”`)
    }
    bot.kill('SIGINT')
    const [code] = await ended
    if (code !== 0) throw new Error(`it ended with ${code}`)
  } catch (error) {
    throw new Error(`The chat with ${script} of ${folder} went wrong: ${error.message}\n${printed}`, { cause: error })
  } finally {
    bot.kill('SIGKILL')
    await ended
    await telegram.stop()
  }
}
