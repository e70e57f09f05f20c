import { defineConfig } from 'tsup'

export default defineConfig({ entry: { 'emulators/index': 'emulators/index.ts' }, format: 'esm', target: 'node20', dts: false, clean: false })
