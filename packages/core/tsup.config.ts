import { defineConfig } from 'tsup'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'sqlite/index': 'src/sqlite/index.ts',
    'sqlite/worker': 'src/sqlite/worker.ts',
    'testing/index': 'src/testing/index.ts',
  },
  format: 'esm',
  target: 'node20',
  dts: false,
  clean: false,
})
