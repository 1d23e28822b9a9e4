import { afterEach, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  type Client,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

/* The API alone: the test says when there is a worker. */
const testApp = useTestApp({ VIGENCIA_ROLE: 'api' })
const { company, partner } = useCompany(testApp)
let worker: { close(): Promise<void> } | null = null

const startWorker = async () => {
  worker = await testApp.startWorker()
}

const stopWorker = async () => {
  await worker?.close()
  worker = null
}

afterEach(stopWorker)

/** The ids of the enrollments of these members, in their order. */
async function enroll(...members: Json[]): Promise<string[]> {
  await startWorker()
  const request = await testApp.include(partner, company, members)
  await stopWorker()
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id'])
}

const people = (count: number) => Array.from({ length: count }, () => primary())
const path = '/operator/v1/enrollment/decision'
const jobs = '/operator/v1/decision-job'
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'

interface Sent {
  readonly by?: Client
  readonly query?: string
  readonly prefer?: string
}

const send = (lines: Json[], { by = testApp.operator, query = '', prefer }: Sent = {}): Promise<ApiResponse> =>
  testApp.call('POST', `${path}${query}`, {
    token: by.token,
    body: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')),
    headers: { 'content-type': 'application/x-ndjson', ...(prefer === undefined ? {} : { prefer }) },
  })

const moveAll = (body: Json, prefer?: string) =>
  testApp.operator.post('/operator/v1/enrollment/transition', body, prefer === undefined ? {} : { prefer })

const readJob = async (id: string): Promise<Json> => expectOk(await testApp.operator.get(`${jobs}/${id}`)).body.result
const readResult = async (id: string): Promise<Json> =>
  expectOk(await testApp.operator.get(`${jobs}/${id}/result`)).body

const ended = (id: string): Promise<Json> =>
  until(
    () => readJob(id),
    (job) => job['finished-at'] !== null,
  )

/** The id of the job of a 202. */
function jobOf(response: ApiResponse): string {
  expect([response.status, response.text]).toEqual([202, expect.stringContaining('job-id')])
  const id = response.body.result['job-id']
  expect(response.headers.get('location')).toBe(`${jobs}/${id}`)
  expect(response.headers.get('preference-applied')).toBeNull()
  return id
}

const statusOf = async (id: string | undefined): Promise<string> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result.status

describe('a file of decisions', () => {
  test('is a job: 202 with its place; a worker decides, and the result is that of the file', async () => {
    const [first, second] = await enroll(...people(2))
    const response = await send([
      { 'enrollment-id': first, status: 'completed', 'card-number': '0045 1' },
      { 'enrollment-id': second, status: 'rejected' },
      { 'enrollment-id': unknown, status: 'completed' },
    ])
    const id = jobOf(response)
    const waiting = {
      'job-id': id,
      status: 'waiting',
      'broken-reason': null,
      'dry-run': false,
      'shipment-id': null,
      lines: 3,
      done: 2,
      accepted: 0,
      refused: 0,
      rejected: 2,
      author: testApp.operator.clientId,
      'created-at': expect.any(String),
      'undo-until': null,
      'finished-at': null,
    }
    expect(response.body).toEqual({ result: waiting })
    expect(await readJob(id)).toEqual(waiting)
    expect(await statusOf(first)).toBe('created')
    expect((await readResult(id)).result.map((one: Json) => one.line)).toEqual([2, 3])
    await startWorker()
    expect(await ended(id)).toMatchObject({ status: 'done', done: 3, accepted: 1, rejected: 2 })
    expect(await readResult(id)).toEqual({
      'dry-run': false,
      lines: 3,
      accepted: 1,
      rejected: 2,
      result: [
        { line: 1, 'enrollment-id': first, status: 'completed' },
        {
          line: 2,
          'enrollment-id': second,
          error: 'Invalid body',
          code: 'invalid-body',
          details: [{ field: 'reason', code: 'missing' }],
        },
        { line: 3, 'enrollment-id': unknown, error: 'Enrollment not found', code: 'enrollment-not-found' },
      ],
    })
    expect(await statusOf(first)).toBe('completed')
  })

  test('with Prefer: wait=N is answered with 200 when the job ends in time, else with 202', async () => {
    const [first, second] = await enroll(...people(2))
    jobOf(await send([{ 'enrollment-id': first, status: 'broker-processing' }], { prefer: 'wait=0' }))
    jobOf(await send([{ 'enrollment-id': first, status: 'completed' }], { prefer: 'wait=soon' }))
    const late = await send([{ 'enrollment-id': first, status: 'completed' }], { prefer: 'wait=1' })
    jobOf(late)
    await startWorker()
    const line = [{ 'enrollment-id': second, status: 'completed' }]
    const response = expectOk(await send(line, { prefer: 'handling=lenient, Wait=99999' }))
    expect(response.headers.get('preference-applied')).toBe('wait=60')
    expect(response.body).toMatchObject({ lines: 1, accepted: 1, result: [{ line: 1, status: 'completed' }] })
  })

  test('as a dry run is a job that changes nothing', async () => {
    const mother = primary()
    const [own, child] = await enroll(mother, dependent(mother['tax-id']))
    const lines = [own, child].map((id) => ({ 'enrollment-id': id, status: 'completed' }))
    const id = jobOf(await send(lines, { query: '?dry-run=true' }))
    await startWorker()
    expect(await ended(id)).toMatchObject({ status: 'done', 'dry-run': true, accepted: 2 })
    expect(await readResult(id)).toMatchObject({ 'dry-run': true, accepted: 2 })
    expect([await statusOf(own), await statusOf(child)]).toEqual(['created', 'created'])
    expect(await testApp.sql('select 1 from audit where target = any($1)', [[own, child]])).toEqual([])
  })

  test('that cannot be read as a whole is refused at once, and makes no job', async () => {
    const count = async () => (await testApp.operator.get(jobs)).body.pagination['total-items']
    const before = await count()
    const bad = await testApp.operator.post(path, 'enrollment-id;card\n', { 'content-type': 'text/csv' })
    expect([bad.status, bad.body.error]).toEqual([400, 'Invalid body'])
    const line = { 'enrollment-id': unknown, status: 'completed' }
    expect((await send(Array.from({ length: 10_001 }, () => line))).status).toBe(413)
    expect(await count()).toBe(before)
  })

  test('of lines that are all refused is done at once', async () => {
    const id = jobOf(await send([{ 'enrollment-id': unknown, status: 'completed' }]))
    expect(await readJob(id)).toMatchObject({
      status: 'done',
      lines: 1,
      rejected: 1,
      'finished-at': expect.any(String),
    })
    expect((await readResult(id)).result).toHaveLength(1)
  })
})

describe('transitions', () => {
  test('of up to 200 enrollments are made at once; of more by a job, whose families and places are those of the call', async () => {
    const mothers = people(130)
    const ids = await enroll(...mothers.flatMap((one) => [one, dependent(one['tax-id'])]))
    const [few, many] = [ids.slice(0, 2), ids.slice(2).toReversed()]
    const now = await moveAll({ 'enrollment-ids': few, status: 'completed' }, 'wait=10')
    expect([now.status, now.headers.get('preference-applied')]).toEqual([200, null])
    const id = jobOf(await moveAll({ 'enrollment-ids': many, status: 'completed' }))
    await startWorker()
    expect(await ended(id)).toMatchObject({ status: 'done', lines: 258, accepted: 258, rejected: 0 })
    expect((await readResult(id)).result).toEqual(
      many.map((one, index) => ({ line: index + 1, 'enrollment-id': one, status: 'completed' })),
    )
    const again = expectOk(await moveAll({ 'enrollment-ids': many, status: 'completed' }, 'wait=60'))
    expect(again.headers.get('preference-applied')).toBe('wait=60')
    expect(Object.keys(again.body)).toEqual(['result'])
    expect(again.body.result).toHaveLength(258)
    expect(again.body.result[0]).toMatchObject({
      'enrollment-id': many[0],
      code: 'illegal-transition',
      from: 'completed',
    })
  })

  test('take 10,000 items with all their fields, and no more', async () => {
    const item = { 'enrollment-id': unknown, status: 'rejected', reason: 'R'.repeat(150), 'card-number': null }
    const items = (count: number) => ({ items: Array.from({ length: count }, () => ({ ...item, 'start-date': null })) })
    jobOf(await moveAll(items(10_000)))
    const over = await moveAll(items(10_001))
    expect([over.status, over.body.details[0].field]).toEqual([400, 'items'])
    const ids = Array.from({ length: 10_001 }, () => unknown)
    expect((await moveAll({ 'enrollment-ids': ids, status: 'completed' })).status).toBe(400)
  })

  test('pending items of all enrollments reach each of them', async () => {
    const ids = await enroll(...people(201))
    const item = { kind: 'document', 'document-type': 'proof-of-residency', message: 'Frente e verso' }
    const body = {
      'enrollment-ids': ids,
      status: 'pending-documents',
      reason: 'Falta o comprovante',
      'pending-items': [item],
    }
    const id = jobOf(await moveAll(body))
    await startWorker()
    expect(await ended(id)).toMatchObject({ accepted: 201 })
    const { body: last } = expectOk(await partner.get(`/v1/enrollment/detail/${ids[200]}`))
    expect(last.result).toMatchObject({
      status: 'pending-documents',
      reason: 'Falta o comprovante',
      'pending-items': [item],
    })
  })
})

describe('an operator that sent decisions', () => {
  const decided = async (change: (by: Client) => Promise<ApiResponse>) => {
    const [enrollment] = await enroll(primary())
    const by = await testApp.operatorOf('analyst')
    const line = { 'enrollment-id': enrollment, status: 'rejected', reason: 'Falta o RG' }
    const id = jobOf(await send([line], { by }))
    const status = (await change(by)).status
    await startWorker()
    const job = await ended(id)
    return { status, job, id, enrollment: await statusOf(enrollment) }
  }

  test('and was removed meanwhile: the job is broken, and nothing is done', async () => {
    const { status, job, id, enrollment } = await decided((by) =>
      testApp.operator.delete(`/operator/v1/operator/${by.clientId}`),
    )
    expect([status, enrollment]).toEqual([204, 'created'])
    expect(job).toMatchObject({ status: 'broken', 'broken-reason': 'operator-removed', lines: 1, done: 0 })
    expect((await readResult(id)).result).toEqual([])
    expect(
      await testApp.sql('select 1 from decision_job_line where job_id = $1 and decision is not null', [id]),
    ).toEqual([])
    expect(await testApp.sql('select 1 from work where target_id = $1', [id])).toEqual([])
  })

  test('and has a role that may not decide any more: the same', async () => {
    const { job, enrollment } = await decided((by) =>
      testApp.operator.put(`/operator/v1/operator/${by.clientId}/role`, { role: 'auditor' }),
    )
    expect(job).toMatchObject({ status: 'broken', 'broken-reason': 'role-not-allowed', done: 0 })
    expect(enrollment).toBe('created')
  })

  test('is the actor of the history and of the audit, from where the call came', async () => {
    const [enrollment] = await enroll(primary())
    const by = await testApp.operatorOf('analyst')
    const response = await send([{ 'enrollment-id': enrollment, status: 'completed' }], { by })
    const id = jobOf(response)
    await startWorker()
    await ended(id)
    const rows = await testApp.sql(
      'select actor, action, target, address is not null as "hasAddress", request_trace_id as trace from audit where actor = $1 order by id',
      [by.clientId],
    )
    const from = { actor: by.clientId, hasAddress: true, trace: response.headers.get('x-request-id') }
    expect(rows).toEqual([
      { action: 'decision-job.created', target: id, ...from },
      { action: 'enrollment.completed', target: enrollment, ...from },
    ])
  })
})

test('reasons and card numbers are deleted with the decision that they belong to', async () => {
  const [first, second] = await enroll(...people(2))
  const id = jobOf(
    await send([
      { 'enrollment-id': first, status: 'completed', 'card-number': 'CARTAO-1' },
      { 'enrollment-id': second, status: 'rejected', reason: 'MOTIVO-2' },
    ]),
  )
  const stored = () =>
    testApp.sql(
      `select (select json_agg(l) from decision_job_line l where l.job_id = j.id)::text || to_jsonb(j)::text as text from decision_job j where id = $1`,
      [id],
    )
  expect((await stored())[0]?.['text']).toContain('CARTAO-1')
  await startWorker()
  await ended(id)
  expect((await stored())[0]?.['text']).not.toMatch(/CARTAO-1|MOTIVO-2/)
})

test('while the database refuses one company, the other lines are done; then those too', async () => {
  const other = await testApp.company()
  const otherPartner = await testApp.partner(other.taxId)
  const [first] = await enroll(primary())
  await startWorker()
  const request = await testApp.include(otherPartner, other, [primary()])
  const second = Object.values<Json>(request['status-by-tax-id'])[0][health]['enrollment-id']
  await testApp.sql(
    `alter table benefit add constraint refused check (company_id <> '${other.id}' or status <> 'active') not valid`,
  )
  const id = jobOf(
    await send([
      { 'enrollment-id': second, status: 'completed' },
      { 'enrollment-id': first, status: 'completed' },
    ]),
  )
  await until(
    () => testApp.sql('select 1 from work where target_id = $1 and attempts > 0', [id]),
    (rows) => rows.length > 0,
  )
  await testApp.sql('alter table benefit drop constraint refused')
  await testApp.sql('update work set run_at = now()')
  expect(await ended(id)).toMatchObject({ status: 'done', accepted: 2 })
})

test('lines that fail again and again are given up as unavailable, so that the job ends', async () => {
  const [enrollment] = await enroll(primary())
  const id = jobOf(await send([{ 'enrollment-id': enrollment, status: 'completed' }]))
  await testApp.sql('update work set attempts = 10 where target_id = $1', [id])
  await startWorker()
  expect(await ended(id)).toMatchObject({ status: 'done', accepted: 0, rejected: 1 })
  expect((await readResult(id)).result).toMatchObject([{ code: 'unavailable' }])
  expect(await statusOf(enrollment)).toBe('created')
})

test('jobs are listed newest first, and deleted 30 days after their end', async () => {
  const [older, newer] = [await send([]), await send([{ 'enrollment-id': unknown, status: 'completed' }])]
  expect(older.status).toBe(400)
  const id = jobOf(newer)
  const { body } = expectOk(await testApp.operator.get(`${jobs}?items-per-page=2`))
  expect(body.result[0]['job-id']).toBe(id)
  expect(body.result[0]['created-at'] >= body.result[1]['created-at']).toBe(true)
  const other = body.result[1]['job-id']
  const age = (days: number, job: string) =>
    testApp.sql('update decision_job set finished_at = now() - make_interval(days => $1) where id = $2', [days, job])
  await age(29, other)
  await age(31, id)
  await startWorker()
  await until(
    () => testApp.operator.get(`${jobs}/${id}`),
    ({ status }) => status === 404,
  )
  expect((await testApp.operator.get(`${jobs}/${id}/result`)).body.error).toBe('Decision job not found')
  expect(await readJob(other)).toMatchObject({ 'job-id': other })
  expect(await testApp.sql('select 1 from decision_job_line where job_id = $1', [id])).toEqual([])
})

test('a stored result has the sentences of the language of its reader', async () => {
  const [first] = await enroll(primary())
  await startWorker()
  const lines = [
    { 'enrollment-id': first, status: 'completed' },
    { 'enrollment-id': unknown, status: 'rejected' },
  ]
  await ended(jobOf(await send([lines[0] as Json])))
  const id = jobOf(await send(lines))
  await ended(id)
  const english = await readResult(id)
  const { body, headers } = await testApp.operator.get(`${jobs}/${id}/result`, { 'accept-language': 'pt-BR' })
  expect(headers.get('content-language')).toBe('pt-BR')
  const messages = (result: Json[]) => result.map((one) => [one.error, one.details?.[0].message])
  expect(messages(english.result)).toEqual([
    ['Illegal transition', 'Enrollment is already completed, which is final'],
    ['Invalid body', undefined],
  ])
  expect(messages(body.result)).toEqual([
    [
      'Illegal transition',
      'A movimentação não pode passar para a situação pedida. Ela já está concluída, e isso é definitivo.',
    ],
    ['Invalid body', 'Preencha o campo “Motivo”.'],
  ])
})

test('what these tests leave breaks no rule of the database', async () => {
  await startWorker()
  await until(
    () => testApp.sql('select 1 from work'),
    (rows) => rows.length === 0,
  )
  expect(await readViolations(testApp.sql)).toEqual({})
})
