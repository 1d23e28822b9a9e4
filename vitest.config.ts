import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/http/engine.ts'],
    setupFiles: ['test/setup.ts'],
    // The modules are loaded once for each of the two workers, not once for each file.
    isolate: false,
    maxWorkers: 2,
    // Guards against a hang, far beyond what a test takes.
    testTimeout: 120_000,
    hookTimeout: 240_000,
    retry: 0,
    expect: { requireAssertions: true },
  },
})
