/*
 * `npm run crash -- [--rounds 200] [--seed N]`: the rounds of test/long/crash-rounds.test.ts. Exit code 1 when anything was lost, doubled,
 * stuck or changed; the seed repeats the choices.
 */
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'

const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } })
const rounds = Number(values.rounds ?? 200)
if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error('--rounds takes a positive integer')
if (values.seed !== undefined) process.env['VIGENCIA_SEED'] = values.seed
process.env['VIGENCIA_CRASH_ROUNDS'] = String(rounds)
process.env['VIGENCIA_TEST_LONG'] = '1'
const vitest = await startVitest('test', ['test/long/crash-rounds.test.ts'], {
  watch: false,
  disableConsoleIntercept: true,
})
const failed = vitest.state.getCountOfFailedTests() > 0 || vitest.state.getUnhandledErrors().length > 0
await vitest.close()
process.exit(failed ? 1 : 0)
