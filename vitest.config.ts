import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const setupFile = fileURLToPath(new URL('./tests/setup/loopback-only.ts', import.meta.url))
const typesConfig = fileURLToPath(new URL('./tsconfig.tests.json', import.meta.url))

/** One project a package: `vitest run --project core`. Sources are taken as they are, only workers come from `dist`. */
function project(name: string, root: string, more: { testTimeout?: number } = {}) {
  return {
    resolve: { conditions: ['hermes-source'] },
    ssr: { resolve: { conditions: ['hermes-source'], externalConditions: ['hermes-source'] } },
    test: {
      name,
      root,
      environment: 'node',
      include: ['**/*.test.ts'],
      exclude: ['**/node_modules/**', '**/dist/**'],
      setupFiles: [setupFile],
      testTimeout: 15_000,
      hookTimeout: 30_000,
      // Errors outside of `*.test-d.ts` are told by `pnpm typecheck`.
      typecheck: { enabled: true, checker: 'tsc', tsconfig: typesConfig, ignoreSourceErrors: true },
      ...more,
    },
  }
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project('plugin-sdk', 'packages/plugin-sdk'),
      project('core', 'packages/core'),
      project('adapter-telegram', 'packages/adapter-telegram'),
      project('terminal', 'examples/terminal'),
      project('custom-adapter', 'examples/custom-adapter'),
      project('custom-plugin', 'examples/custom-plugin'),
      project('own-loop-ai-sdk', 'examples/own-loop-ai-sdk'),
      project('own-loop-pi', 'examples/own-loop-pi'),
      project('tests', 'tests', { testTimeout: 60_000 }),
    ],
  },
})
