import { afterAll, beforeAll, expect, test } from 'vitest'
import { useTestApp } from '../world/test-app.ts'
import { type Cli, openCli } from './command.ts'

/* The other files run commands in the process of the test, except in the long run: a process does the same. */
const testApp = useTestApp()
let cli: Cli

beforeAll(async () => {
  cli = await openCli()
  await testApp.company()
  await cli.signIn(testApp.url, { operator: testApp.operator })
})
afterAll(() => cli.clear())

test.for([
  ['a result', 0, ['company', 'list', '--json']],
  ['help', 0, ['help', 'member']],
  ['no command', 0, []],
  ['the version', 0, ['--version']],
  ['an unknown command', 2, ['memver']],
  ['an unknown option', 2, ['company', 'list', '--no-such-option']],
  ['a refusal as JSON', 1, ['client', 'revoke', 'nobody', '--json', '--yes']],
  ['a refused configuration', 1, ['start'], { VIGENCIA_DATA_DIRECTORY: 'x' }],
] as const)('%s: exit code and both streams of a process', async ([, code, words, environment = {}]) => {
  const [inside, asProcess] = await Promise.all([cli.run(words, { environment }), cli.spawn(words, { environment })])
  // Trace ids differ.
  const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g
  const [expected, received] = [inside, asProcess].map((one) => [
    one.code,
    one.out.replace(uuid, 'id'),
    one.err.replace(uuid, 'id'),
  ])
  expect(received).toEqual(expected)
  expect(inside.code).toBe(code)
  expect(inside.out + inside.err).not.toBe('')
})
