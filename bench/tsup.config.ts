import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'bots/raw-bot': 'src/bots/raw-bot.ts',
    'bots/hermes-bot': 'src/bots/hermes-bot.ts',
    'bots/idle-chats': 'src/bots/idle-chats.ts',
  },
  format: 'esm',
  target: 'node20',
  dts: false,
  clean: false,
})
