import { defineConfig } from 'tsup'

export default defineConfig({
  entry: { index: 'src/index.ts', 'conformance/index': 'src/conformance/index.ts' },
  format: 'esm',
  target: 'node20',
  dts: false,
  clean: false,
})
