import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    'emulators/index': 'emulators/index.ts',
    'faults/bot-process': 'faults/bot-process.ts',
    'faults/plugin-rounds': 'faults/plugin-rounds.ts',
  },
  format: 'esm',
  target: 'node20',
  dts: false,
  clean: false,
})
