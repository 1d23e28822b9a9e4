import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../world/test-app.ts'
import { respondJson, anyClient, type Cli, openCli, openStandIn } from './command.ts'

const id = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const cpf = '52998224725'

/** A request of four parts that one look after the other finds further on. */
function requestAfter(looks: number, last: string) {
  const done = Math.min(4, looks)
  const part = (index: number) =>
    index >= done
      ? { status: 'processing' }
      : index === 0 && last !== 'completed'
        ? { status: 'failed', offenses: ['ongoing-enrollment'] }
        : { status: 'enrollment-created' }
  return {
    'request-id': id,
    status: done === 4 ? last : 'processing',
    'enrollment-summary': { created: done },
    'status-by-tax-id': { [cpf]: Object.fromEntries([0, 1, 2, 3].map((index) => [`Plano ${index}`, part(index)])) },
  }
}

let cli: Cli
let looks = 0
let last = 'completed'
let busy = 0
let standIn: Awaited<ReturnType<typeof openStandIn>>

beforeAll(async () => {
  cli = await openCli()
  standIn = await openStandIn((_call, response) => {
    if (busy > 0) {
      busy -= 1
      respondJson(response, 503, { error: 'Service temporarily unavailable' }, { 'retry-after': '1' })
      return
    }
    respondJson(response, 200, requestAfter(looks++, last))
  })
  await cli.signIn(standIn.url, { partner: anyClient })
})
afterAll(async () => {
  await cli.clear()
  await standIn.close()
})

const watch = (...more: string[]) => {
  looks = 1
  return ['request', 'watch', id, ...more]
}

test('in a pipe each step is a line', async () => {
  const outcome = await cli.run(watch())
  expect(outcome).toMatchObject({ code: 0, err: '' })
  expect(outcome.out).toBe(
    `1/4 processing\n2/4 processing\n3/4 processing\n4/4 completed\nRequest ${id} completed; enrollments: 4 created.\n`,
  )
})

test('in a terminal it is a bar in colour, and with NO_COLOR without', async () => {
  const coloured = await cli.inTerminal(watch())
  expect(coloured.code).toBe(0)
  expect(coloured.out).toContain('\r\u001b[K[==============================] 4/4 completed\r\n')
  expect(coloured.out).toContain('\u001b[32mcompleted\u001b[39m')
  const plain = await cli.inTerminal(watch(), { environment: { NO_COLOR: '1' } })
  expect(plain.out).toContain('[===============               ] 2/4 processing')
  expect(plain.out).not.toContain('\u001b[32m')
})

test('with --json standard output holds the request alone', async () => {
  const outcome = await cli.run(watch('--json'))
  expect(outcome.json).toEqual(requestAfter(4, 'completed'))
  expect(outcome.err).toContain('2/4 processing')
})

test('a partial failure ends with 5, a failure with 1; CPFs only with --parts', async () => {
  last = 'partial-failure'
  const partly = await cli.run(watch())
  expect(partly.code).toBe(5)
  expect(partly.out).toContain('  1 failed: ongoing-enrollment')
  expect(partly.out).not.toContain(cpf)
  const parts = await cli.run(watch('--parts'))
  expect(parts.out).toContain(`${cpf}\tPlano 0\tfailed\tongoing-enrollment`)
  last = 'failed'
  expect((await cli.run(watch())).code).toBe(1)
  last = 'completed'
})

test('a busy service is asked again', async () => {
  busy = 2
  const outcome = await cli.run(watch())
  expect(outcome.code).toBe(0)
  expect(outcome.err).toContain('Waiting 2 s: the service is busy (503).\nWaiting')
})

test('Ctrl-C ends the watch with 130', async () => {
  last = 'processing'
  const running = cli.start(watch())
  await until(
    async () => running.soFar.out,
    (out) => out.includes('4/4 processing'),
  )
  running.kill('SIGINT')
  expect(await running.outcome).toMatchObject({ code: 130, err: '' })
  last = 'completed'
})
