import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: process.env['VIGENCIA_TEST_LONG'] === '1' ? [] : ['test/long/**'],
    globalSetup: ['test/http/engine.ts'],
    setupFiles: ['test/setup.ts'],
    // The modules are loaded once for each of the workers, not once for each file.
    isolate: false,
    // One more than the cores that it is meant for: tests also wait.
    maxWorkers: 3,
    // Guards against a hang, far beyond what a test takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    retry: 0,
    expect: { requireAssertions: true },
  },
})
