/*
 * The test run. `npm test` runs every file once; `npm run test:long` (`--long`) runs them with more rounds and rows, and the
 * service as two `api` and two `worker` processes. `npm test -- FILE...` runs those files alone. Nothing is tried twice. The last
 * line says `N passed, N failed`.
 */
import { startVitest } from 'vitest/node'
import { seed } from './seed.ts'

const args = process.argv.slice(2)
const isLong = args.includes('--long')
const files = args.filter((one) => one !== '--long')
if (isLong) process.env['VIGENCIA_TEST_LONG'] = '1'
console.log(`VIGENCIA_SEED=${seed}${isLong ? ', the long run' : ''}`)
const vitest = await startVitest('test', files, { watch: false })
const { state } = vitest
const count = { passed: 0, failed: state.getUnhandledErrors().length }
for (const file of state.getTestModules()) {
  // A file that cannot be loaded has no tests to fail.
  count.failed += file.errors().length
  for (const test of file.children.allTests()) {
    const result = test.result().state
    if (result === 'passed') count.passed += 1
    else if (result === 'failed') count.failed += 1
    else if (isLong) console.log(`Left out by its own condition: ${test.fullName}`)
  }
}
await vitest.close()
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1)
