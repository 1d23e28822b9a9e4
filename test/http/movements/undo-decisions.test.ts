import { beforeAll, describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  type Json,
  primary,
  until,
  useTestApp,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_UNDO_SECONDS: '60' })
const quick = useTestApp({ VIGENCIA_UNDO_SECONDS: '1' })
const jobs = '/operator/v1/decision-job'

/** A service, a company and a partner of it. */
async function world(app: typeof testApp): Promise<{ company: Company; partner: Client }> {
  const company = await app.company()
  return { company, partner: await app.partner(company.taxId) }
}

let company: Company
let partner: Client

beforeAll(async () => {
  ;({ company, partner } = await world(testApp))
})

/** The ids of the enrollments of these members, in their order. */
async function enroll(members: Json[], app = testApp, by = partner, to = company): Promise<string[]> {
  const request = await app.include(by, to, members)
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id'])
}

const decide = (ids: string[], body: Json = { status: 'completed' }, app = testApp) =>
  app.operator.post('/operator/v1/enrollment/transition', { 'enrollment-ids': ids, undoable: true, ...body })

const read = async (id: string, app = testApp) =>
  expectOk(await app.operator.get(`/operator/v1/enrollment/${id}`)).body.result

const undo = (jobId: string, app = testApp) => app.operator.post(`${jobs}/${jobId}/undo`)

describe('undo of decisions', () => {
  test('a decision that is undone in time is not made, and the partner hears nothing of it', async () => {
    const [id = ''] = await enroll([primary()])
    const response = await decide([id], { status: 'rejected', reason: 'By mistake' })
    expect(response.status).toBe(202)
    const { 'job-id': jobId, 'undo-until': until, status } = response.body.result
    expect(status).toBe('waiting')
    expect(await read(id)).toMatchObject({
      status: 'created',
      'held-decision': { 'job-id': jobId, status: 'rejected', author: 'first-operator', until },
    })
    const undone = expectOk(await undo(jobId)).body.result
    expect(undone).toMatchObject({ status: 'undone', lines: 1, accepted: 0, rejected: 1 })
    expect(await read(id)).toMatchObject({ status: 'created', 'held-decision': null })
    const { result } = expectOk(await testApp.operator.get(`${jobs}/${jobId}/result`)).body
    expect(result).toMatchObject([{ 'enrollment-id': id, code: 'decision-undone' }])
    const seen = expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
    expect(seen.history.map((step: Json) => step['status'])).toEqual(['created'])
    expect((await undo(jobId)).body).toMatchObject({ code: 'decision-job-started' })
    expect((await undo('01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')).body).toMatchObject({ code: 'decision-job-not-found' })
    const rows = expectOk(await testApp.operator.get(`/operator/v1/audit?target=${jobId}`)).body.result
    expect(rows.map((row: Json) => row['action'])).toContain('decision-job.undone')
    expect(await readViolations(testApp.sql)).toEqual({})
  })

  test('what cannot be decided is refused at once; a held enrollment takes no other decision', async () => {
    const [id = '', other = ''] = await enroll([primary(), primary()])
    const jobId = (await decide([id])).body.result['job-id']
    const again = expectOk(await decide([id], { status: 'rejected', reason: 'Twice' }))
    expect(again.body.result).toMatchObject([{ 'enrollment-id': id, code: 'decision-held' }])
    expectOk(await testApp.operator.post(`/operator/v1/enrollment/${other}/transition`, { status: 'completed' }))
    const refused = expectOk(await decide([other], { status: 'rejected', reason: 'Too late' }))
    expect(refused.body.result).toMatchObject([{ 'enrollment-id': other, code: 'illegal-transition' }])
    const held = expectOk(await testApp.operator.get('/operator/v1/enrollment?status=created')).body.result
    expect(held.find((item: Json) => item['id'] === id)['held-decision']).toMatchObject({ 'job-id': jobId })
    expectOk(await undo(jobId))
  })

  test('decisions without `undoable` are made at once', async () => {
    const [id = ''] = await enroll([primary()])
    expectOk(
      await testApp.operator.post('/operator/v1/enrollment/transition', {
        'enrollment-ids': [id],
        status: 'completed',
      }),
    )
    expect(await read(id)).toMatchObject({ status: 'completed' })
  })

  test('when the time is over they are made, in the order in which they were sent', async () => {
    const there = await world(quick)
    const employee = primary()
    const members = [employee, dependent(employee['tax-id'])]
    const [first = '', second = ''] = await enroll(members, quick, there.partner, there.company)
    const sent = [await decide([first], undefined, quick), await decide([second], undefined, quick)]
    expect(sent.map(({ status }) => status)).toEqual([202, 202])
    for (const response of sent) {
      const path = `${jobs}/${response.body.result['job-id']}`
      const job = await until(
        async () => expectOk(await quick.operator.get(path)).body.result,
        (one) => one['finished-at'] !== null,
      )
      expect(job).toMatchObject({ status: 'done', accepted: 1 })
      expect((await undo(job['job-id'], quick)).body).toMatchObject({ code: 'decision-job-started' })
    }
    expect(await read(second, quick)).toMatchObject({ status: 'completed', 'held-decision': null })
    expect(await readViolations(quick.sql)).toEqual({})
  })
})
