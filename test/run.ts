/*
 * The whole test run: every suite, then the HTTP suite once more on two `api` and two `worker` processes.
 * `npm test -- FILE...` runs those files alone, in one process. The last line says `N passed, N failed`.
 */
import { startVitest } from 'vitest/node'

interface Count {
  passed: number
  failed: number
}

async function run(files: string[], topology: 'inside' | 'processes'): Promise<Count> {
  process.env['VIGENCIA_TEST_TOPOLOGY'] = topology
  console.log(topology === 'inside' ? 'Every suite' : 'The HTTP suite on two api and two worker processes')
  const vitest = await startVitest('test', files, { watch: false })
  const count = { passed: 0, failed: vitest.state.getUnhandledErrors().length }
  for (const file of vitest.state.getTestModules()) {
    // A file that could not be loaded has no tests to fail.
    count.failed += file.errors().length
    for (const test of file.children.allTests()) {
      const { state } = test.result()
      if (state === 'passed') count.passed += 1
      else count.failed += 1
    }
  }
  await vitest.close()
  return count
}

const files = process.argv.slice(2)
const inside = await run(files, 'inside')
const processes = files.length === 0 ? await run(['test/http'], 'processes') : { passed: 0, failed: 0 }
const passed = inside.passed + processes.passed
const failed = inside.failed + processes.failed
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
