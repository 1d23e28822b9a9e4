import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that start processes or a browser take turns with the others: they are short and take long, so the order by size would leave them to the
 * end of a run, and they mostly wait, so one after the other would leave the processor idle.
 */
class TakeTurns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const starts = (file: TestSpecification) =>
      /\/test\/(browser|cli|console|crash|docs|long|platform\/embedded-postgres|sdk|start)\//.test(file.moduleId)
    const sorted = await super.sort(files)
    const [first, second] = [sorted.filter(starts), sorted.filter((file) => !starts(file))]
    const turns = Array.from({ length: Math.max(first.length, second.length) }, (_, i) => [first[i], second[i]])
    return turns.flat().filter((file) => file !== undefined)
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      ...(process.env['VIGENCIA_TEST_LONG'] === '1' ? [] : ['test/long/**']),
      ...(process.env['VIGENCIA_TEST_CITUS'] === '1' ? [] : ['test/citus/**']),
    ],
    globalSetup: ['test/world/engine.ts'],
    setupFiles: ['test/setup.ts'],
    // The modules are loaded once for each of the workers, not once for each file.
    isolate: false,
    // One more than the cores that it is meant for: tests also wait.
    maxWorkers: 3,
    sequence: { sequencer: TakeTurns },
    // Guards against a hang, far beyond what a test takes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    retry: 0,
    // Conditions that are waited for: as long as other waits of the tests, far beyond what they take.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
  },
})
