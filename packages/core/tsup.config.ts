import { defineConfig, type Options } from 'tsup'

const shared: Options = { format: 'esm', target: 'node20', dts: false, clean: false }

export default defineConfig([
  {
    ...shared,
    entry: { index: 'src/index.ts', 'sqlite/index': 'src/sqlite/index.ts', 'testing/index': 'src/testing/index.ts' },
  },
  // Without chunks: what the worker shares with the doors would bring their imports into its thread. CommonJS: a thread that never
  // loads an ES module starts 20 ms sooner, and every gateway waits for it.
  { ...shared, format: 'cjs', shims: true, entry: { 'sqlite/worker': 'src/sqlite/worker.ts' }, splitting: false },
])
