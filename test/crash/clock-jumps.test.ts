import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectOk, primary, send, until, useTestApp, useCompany } from '../world/test-app.ts'
import { makeEndpoint, openReceiver, type Receiver } from '../world/receiver.ts'
import { clearPrograms, type Program, startProgram } from './program.ts'
import { scaled } from '../scale.ts'

/* Processes whose clocks are hours ahead or behind, and step while they work. Other processes wait for what they store. */

const testApp = useTestApp({ VIGENCIA_ROLE: 'api', VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true' })
const { company, partner } = useCompany(testApp)
let receiver: Receiver

beforeAll(async () => {
  receiver = await openReceiver()
})

afterAll(async () => {
  await clearPrograms()
  await receiver.close()
})

interface SteppedProgram extends Program {
  step(hours: number): Promise<void>
}

async function start(role: 'api' | 'worker', hours: number): Promise<SteppedProgram> {
  const file = join(testApp.dataDir, `clock-${role}`)
  await writeFile(file, String(hours))
  const program = await startProgram({
    VIGENCIA_DATABASE_URL: testApp.databaseUrl,
    VIGENCIA_MASTER_KEY: testApp.masterKey,
    VIGENCIA_ENVIRONMENT: 'staging',
    VIGENCIA_DATA_DIR: testApp.dataDir,
    VIGENCIA_WEBHOOK_ALLOW_PRIVATE: 'true',
    VIGENCIA_ROLE: role,
    TEST_CLOCK_FILE: file,
    NODE_OPTIONS: `--import=${new URL('stepped-clock.ts', import.meta.url).href}`,
  })
  const step = async (next: number) => {
    const seen = program.outputLines.length
    await writeFile(file, String(next))
    process.kill(program.pid, 'SIGUSR2')
    await until(
      async () => program.outputLines.slice(seen),
      (lines) => lines.includes(`clock ${next}`),
    )
  }
  return Object.assign(Object.create(program) as Program, { step })
}

const steps = [
  { api: 3, worker: 0 },
  { api: 0, worker: -3 },
  { api: -3, worker: 3 },
  { api: 0, worker: 0 },
].slice(0, scaled(3, 4))

test('inclusions and webhooks come in time although the clocks of the processes are hours apart and step', async () => {
  await makeEndpoint(partner, receiver.url)
  const [api, worker] = await Promise.all([start('api', -3), start('worker', 3)])
  // The first attempt of each event fails, so that one is to be made after the next step.
  const attempts = new Map<unknown, number>()
  receiver.respond = ({ headers }) => {
    const count = (attempts.get(headers['webhook-id']) ?? 0) + 1
    attempts.set(headers['webhook-id'], count)
    return { status: count === 1 ? 503 : 204 }
  }
  const activated = () => [
    ...new Set(
      receiver.calls.filter(({ body }) => body.type === 'benefit.activated').map((call) => call.headers['webhook-id']),
    ),
  ]
  for (const [index, step] of [null, ...steps].entries()) {
    if (step !== null) await Promise.all([api.step(step.api), worker.step(step.worker)])
    const body = { 'company-tax-id': company.taxId, members: [primary()] }
    const path = `${api.url}/v1/enrollment/inclusion?resolution=approve`
    const id = expectOk(await send(path, 'POST', { token: partner.token, body })).body['request-id']
    const done = await until(
      async () => expectOk(await send(`${api.url}/v1/request/${id}`, 'GET', { token: partner.token })).body,
      ({ status }) => status !== 'processing',
    )
    expect(done.status).toBe('completed')
    await until(
      async () => activated().length,
      (count) => count > index,
    )
    const age = Math.abs(Date.now() - Date.parse(done['created-at']))
    expect(age, 'the time of the request is that of the database').toBeLessThan(3_600_000)
  }
  const pending = () => testApp.sql(`select 1 from webhook_delivery where status = 'pending'`)
  await until(pending, (rows) => rows.length === 0)
  expect(activated().map((id) => attempts.get(id))).toEqual(activated().map(() => 2))
  for (const program of [api, worker]) {
    expect(await program.stop()).toBe(0)
    expect(program.errorLines).toEqual([])
  }
})
