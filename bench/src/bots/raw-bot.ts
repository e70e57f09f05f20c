import { run } from '@grammyjs/runner'
import { Bot } from 'grammy'
import { readSettings, serveBench } from './bot-link.js'

// The baseline: what one writes with grammY and its runner alone. It keeps nothing and orders nothing.

const { apiRoot, token } = readSettings()
const bot = new Bot(token, { client: { apiRoot } })
bot.on('message:text', (context) => context.reply(context.message.text))
const runner = run(bot)
serveBench({ storeUsage: () => ({ commits: 0, durableCommands: 0 }), stop: () => runner.stop() })
