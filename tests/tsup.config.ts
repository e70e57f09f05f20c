import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    'emulators/index': 'emulators/index.ts',
    'faults/bot-process': 'faults/bot-process.ts',
    'faults/plugin-rounds': 'faults/plugin-rounds.ts',
    'faults/late-process': 'faults/late-process.ts',
  },
  format: 'esm',
  target: 'node20',
  dts: false,
  clean: false,
})
