/*
 * The whole test run: every suite, then the HTTP suite once more on two `api` and two `worker` processes, without the files
 * about lists and invoices, which no second process takes part in: `npm test -- --processes` runs those too.
 * `npm test -- FILE...` runs those files alone, in one process. A test that fails is tried once more, for the sake of busy machines,
 * and named when it passes then. The last line says `N passed, N failed`.
 */
import { startVitest } from 'vitest/node'

interface Count {
  passed: number
  failed: number
}

async function run(files: string[], topology: 'inside' | 'processes', exclude: string[] = []): Promise<Count> {
  process.env['VIGENCIA_TEST_TOPOLOGY'] = topology
  console.log(topology === 'inside' ? 'Every suite' : 'The HTTP suite on two api and two worker processes')
  const vitest = await startVitest('test', files, { watch: false, retry: 1, exclude: ['node_modules/**', ...exclude] })
  const count = { passed: 0, failed: vitest.state.getUnhandledErrors().length }
  for (const file of vitest.state.getTestModules()) {
    // A file that could not be loaded has no tests to fail.
    count.failed += file.errors().length
    for (const test of file.children.allTests()) {
      const { state } = test.result()
      if (test.diagnostic()?.flaky === true) console.log(`Passed at the second try only, look at it: ${test.fullName}`)
      if (state === 'passed') count.passed += 1
      else if (state === 'failed') count.failed += 1
      else console.log(`Left out here, by its own condition: ${test.fullName}`)
    }
  }
  await vitest.close()
  return count
}

const asked = process.argv.slice(2)
const everything = asked.includes('--processes')
const files = asked.filter((one) => one !== '--processes')
const nothing: Count = { passed: 0, failed: 0 }
const inside = everything ? nothing : await run(files, 'inside')
const alone = everything ? [] : ['test/http/{list,invoices}-*.test.ts']
const processes = files.length === 0 ? await run(['test/http'], 'processes', alone) : nothing
const passed = inside.passed + processes.passed
const failed = inside.failed + processes.failed
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
