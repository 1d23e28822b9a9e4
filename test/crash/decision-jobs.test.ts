import { write } from '#platform/core/write.ts'
import { expect, test } from 'vitest'
import { processDecisionJob } from '#movements/decide/job.ts'
import { type Client, type Company, expectOk, health, type Json, until } from '../world/test-app.ts'
import { isLong, scaled } from '../scale.ts'
import { families, useIdleTestApp } from './idle-fixture.ts'
import { readViolations } from './invariants.ts'
import { InjectedError, withInjectedErrors } from './steps.ts'

/* Jobs of decisions while steps fail and workers are killed: each line is done once, and the result is complete. */

const idle = useIdleTestApp()
const { ask } = idle

interface Tenant {
  readonly company: Company
  readonly partner: Client
}

async function openTenant(): Promise<Tenant> {
  const company = await idle.testApp.company()
  return { company, partner: await idle.testApp.partner(company.taxId) }
}

/** The ids of the enrollments of these members. */
async function enroll({ company, partner }: Tenant, members: Json[]): Promise<string[]> {
  const body = { 'company-tax-id': company.taxId, members }
  const response = expectOk(await partner.post('/v1/enrollment/inclusion', body))
  await idle.withWorker(() => idle.nothingOpen())
  const request = expectOk(await partner.get(`/v1/request/${response.body['request-id']}`)).body
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id'])
}

/** Sends a file that completes these enrollments. @returns the id of its job. */
async function send(ids: readonly string[], query = ''): Promise<string> {
  const response = await idle.testApp.call('POST', `/operator/v1/enrollment/decision${query}`, {
    token: idle.testApp.operator.token,
    body: Buffer.from(
      ['enrollment-id;status;card-number', ...ids.map((id, n) => `${id};completed;${4_000 + n}`)].join('\n'),
    ),
    headers: { 'content-type': 'text/csv' },
  })
  expect(response.status).toBe(202)
  return response.body.result['job-id']
}

const read = async (path: string): Promise<Json> => expectOk(await idle.testApp.operator.get(path)).body
const readJob = async (id: string): Promise<Json> => (await read(`/operator/v1/decision-job/${id}`)).result

/** How often each of the enrollments was moved. */
async function movesOf(ids: readonly string[]): Promise<number[]> {
  const rows = await ask<{ moves: number }>(
    `select count(h.step)::int as moves from unnest($1::uuid[]) with ordinality as i (id, place)
     left join enrollment_history h on h.enrollment_id = i.id and h.status = 'completed' group by i.place order by i.place`,
    [ids],
  )
  return rows.map(({ moves }) => moves)
}

/** Everything that a step may write. */
async function countRows(): Promise<unknown> {
  const tables = ['enrollment_history', 'event', 'audit', 'work']
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`)
  const [row] = await ask(
    `select ${counts.join(', ')}, (select count(*)::int from benefit where status = 'active') as active,
       (select json_agg(json_build_array(j.status, j.accepted, j.rejected) order by j.id) from decision_job j) as jobs,
       (select count(*)::int from decision_job_line where result is not null) as results`,
  )
  return row
}

test.runIf(isLong).each([
  ['decisions', '', 1],
  ['a dry run', '?dry-run=true', 0],
])(
  '%s: a step that fails after any of its statements leaves nothing, and the next run completes it',
  async (_, query, moves) => {
    // A chunk for each company.
    const ids = [...(await enroll(await openTenant(), families(2))), ...(await enroll(await openTenant(), families(1)))]
    const id = await send(ids, query)
    const injection = withInjectedErrors(idle.context)
    const step = () =>
      write(injection.context, { kind: 'service' }, { may: 'service', retriesUniqueViolation: true }, (tx) =>
        processDecisionJob(injection.context, tx, id, 0),
      )
    let failed = 0
    const ended: unknown[] = []
    while (ended.at(-1) !== 'done') {
      const before = await countRows()
      for (let after = 1; ; after += 1) {
        injection.arm(after)
        const result = await step().catch((error: unknown) => error)
        if (!(result instanceof InjectedError)) {
          ended.push(result)
          break
        }
        failed += 1
        expect(await countRows()).toEqual(before)
      }
    }
    expect(ended).toEqual(['more', 'done'])
    expect(failed).toBeGreaterThan(10)
    injection.disarm()
    const once = await countRows()
    expect(await step()).toBe('done')
    expect(await countRows()).toEqual(once)
    await idle.withWorker(() => idle.nothingOpen())
    expect(await readJob(id)).toMatchObject({ status: 'done', done: ids.length, accepted: ids.length })
    expect(await movesOf(ids)).toEqual(ids.map(() => moves))
    expect(await readViolations(ask)).toEqual({})
  },
)

test('after kill -9 of the worker in the middle of a job another one goes on: each line is done once, and the result is complete', async () => {
  const ids = await enroll(await openTenant(), families(scaled(500, 2_000)))
  const id = await send(ids)
  const kills = scaled(1, 3)
  for (let killed = 0, doneBefore = 0; killed < kills; killed += 1) {
    const worker = await idle.startWorkerProcess()
    const job = await until(
      () => readJob(id),
      ({ done }) => done > doneBefore,
    )
    await worker.kill()
    expect(job['finished-at']).toBeNull()
    doneBefore = (await readJob(id)).done
  }
  await idle.startWorkerProcess()
  const job = await until(
    () => readJob(id),
    (one) => one['finished-at'] !== null,
  )
  expect(job).toMatchObject({ status: 'done', lines: ids.length, done: ids.length, accepted: ids.length, rejected: 0 })
  const { result } = await read(`/operator/v1/decision-job/${id}/result`)
  expect(result).toEqual(ids.map((one, index) => ({ line: index + 2, 'enrollment-id': one, status: 'completed' })))
  expect(await movesOf(ids)).toEqual(ids.map(() => 1))
  expect(await readViolations(ask)).toEqual({})
})
