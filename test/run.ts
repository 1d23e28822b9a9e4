/*
 * The test run. `npm test` runs every file once; `npm run test:long` (`--long`) runs them with more rounds and rows, and the
 * service as two `api` and two `worker` processes. `npm run test:citus` (`--citus`) runs test/http and test/citus on the
 * Citus cluster whose coordinator VIGENCIA_TEST_DATABASE_URL leads to. `npm test -- FILE...` runs those files alone. Nothing is tried twice. The last
 * line says `N passed, N failed`.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startVitest } from 'vitest/node'
import { ERROR_CODES, type ErrorCode } from '#kernel/error-codes.ts'
import { seed } from './seed.ts'

const args = process.argv.slice(2)
const isLong = args.includes('--long')
const isCitus = args.includes('--citus')
const given = args.filter((one) => !one.startsWith('--'))
const files = isCitus && given.length === 0 ? ['test/citus/', 'test/http/'] : given
if (isCitus) process.env['VIGENCIA_TEST_CITUS'] = '1'
if (isLong) process.env['VIGENCIA_TEST_LONG'] = '1'
// Databases are copied and removed all the time: in memory, where there is room, that costs a tenth of the CPU.
if (process.env['TMPDIR'] === undefined && hasSharedMemory()) process.env['TMPDIR'] = '/dev/shm'
// Halves the start of the threads and processes that tests start.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('../node_modules/.cache/vigencia-test', import.meta.url))
console.log(`VIGENCIA_SEED=${seed}${isLong ? ', the long run' : ''}`)
const codesSeen = mkdtempSync(join(tmpdir(), 'vigencia-codes-'))
process.env['VIGENCIA_TEST_CODES'] = codesSeen
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
// The connection has ended, so that no client reads it; and the package of SFTP is installed here.
const unreadable: readonly ErrorCode[] = ['upload-broke-off', 'sftp-not-installed']
const unseen = ERROR_CODES.filter((code) => !unreadable.includes(code) && !existsSync(join(codesSeen, code)))
rmSync(codesSeen, { recursive: true })
if (files.length === 0 && unseen.length > 0) {
  console.log(`No test has got these error codes: ${unseen.join(', ')}`)
  count.failed += 1
}
console.log(`${count.passed} passed, ${count.failed} failed`)
process.exit(count.failed === 0 && count.passed > 0 ? 0 : 1)

/** Whether `/dev/shm` has 3 GB for the folders of the run, and programs may run there. */
function hasSharedMemory(): boolean {
  try {
    const mount = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync('/proc/mounts', 'utf8'))
    const { bavail, bsize } = statfsSync('/dev/shm')
    return mount !== null && !mount[1]?.includes('noexec') && bavail * bsize > 3_000_000_000
  } catch {
    return false
  }
}
