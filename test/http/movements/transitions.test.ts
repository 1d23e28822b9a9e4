import { describe, expect, test } from 'vitest'
import { ENROLLMENT_STATUSES as states } from '#kernel/enums.ts'
import { readViolations } from '../../crash/invariants.ts'
import { whileLocked } from '../../world/locked-table.ts'
import {
  dental,
  dependent,
  expectOk,
  health,
  type Json,
  useTestApp,
  primary,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp({}, { instances: 'all' })
const { company, partner } = useCompany(testApp)

const move = (id: string, body: Json) => testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, body)

const moveAll = (ids: string[], body: Json) =>
  testApp.operator.post('/operator/v1/enrollment/transition', { 'enrollment-ids': ids, ...body })

/** Ids of the members' health enrollments, in the order given. */
async function enroll(...members: Json[]): Promise<string[]> {
  const request = await testApp.include(partner, company, members)
  return members.map((member) => request['status-by-tax-id'][member['tax-id']][health]['enrollment-id'])
}

const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

const shown = async (cpf: string): Promise<Json> =>
  expectOk(await partner.get('/v1/member?include-inactive=true')).body.result.find(
    (one: Json) => one.profile['tax-id'] === cpf,
  )

describe('200', () => {
  test('one step at a time to completed: the benefit is active with the carrier’s data, and the history has each step', async () => {
    const mother = primary()
    const [id = ''] = await enroll(mother)
    expectOk(await move(id, { status: 'broker-processing' }))
    expectOk(await move(id, { status: 'pending-documents', reason: 'Certidão ilegível' }))
    expect(await detail(id)).toMatchObject({ status: 'pending-documents', reason: 'Certidão ilegível' })
    expectOk(await move(id, { status: 'carrier-processing', reason: '  ' }))
    const response = await move(id, { status: 'completed', 'start-date': '2026-12-01', 'card-number': '0045 1120' })
    expect(response.status).toBe(200)
    expect(response.body.result).toMatchObject({
      id,
      status: 'completed',
      reason: null,
      'member-tax-id': mother['tax-id'],
    })
    expect(response.body.result.history.at(-1)).toMatchObject({
      actor: 'operator',
      'actor-id': testApp.operator.clientId,
    })
    const movement = await detail(id)
    expect(movement.history.map((item: Json) => [item.status, item.actor, item.reason])).toEqual([
      ['created', 'partner', null],
      ['broker-processing', 'operator', null],
      ['pending-documents', 'operator', 'Certidão ilegível'],
      ['carrier-processing', 'operator', null],
      ['completed', 'operator', null],
    ])
    expect(movement.history.every((item: Json) => !('actor-id' in item))).toBe(true)
    expect((await shown(mother['tax-id'])).benefits).toMatchObject([
      { status: 'active', 'start-date': '2026-12-01', 'card-number': '0045 1120' },
    ])
  })

  test('each transition leaves its audit row and its event', async () => {
    const [id = ''] = await enroll(primary())
    expectOk(await move(id, { status: 'completed' }))
    expect(await testApp.sql('select action, actor, address from audit where target = $1', [id])).toEqual([
      { action: 'enrollment.completed', actor: testApp.operator.clientId, address: '127.0.0.1' },
    ])
    const events = await testApp.sql("select type from event where data->>'enrollment-id' = $1 order by at, id", [id])
    expect(events.map((event) => event['type'])).toEqual(['enrollment.created', 'enrollment.completed'])
    expect(await testApp.sql("select 1 from event where type = 'benefit.activated'")).not.toEqual([])
  })

  test('in bulk the family may come in any order; the response has the order sent, a repeated id is repeated', async () => {
    const mother = primary()
    const [child = '', own = ''] = await enroll(dependent(mother['tax-id']), mother)
    const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
    const response = await moveAll([child, own, unknown, child], { status: 'completed' })
    expect(response.status).toBe(200)
    expect(response.body.result).toEqual([
      { 'enrollment-id': child, status: 'completed' },
      { 'enrollment-id': own, status: 'completed' },
      { 'enrollment-id': unknown, error: 'Enrollment not found', code: 'enrollment-not-found' },
      { 'enrollment-id': child, status: 'completed' },
    ])
    const again = await moveAll([own], { status: 'completed' })
    expect(again.body.result).toEqual([
      {
        'enrollment-id': own,
        error: 'Illegal transition',
        code: 'illegal-transition',
        from: 'completed',
        to: 'completed',
        allowed: [],
        details: [
          { field: 'status', code: 'illegal-transition', message: 'Enrollment is already completed, which is final' },
        ],
      },
    ])
  })

  test.each([
    ['rejected', 'Recusado pela operadora'],
    ['cancelled', null],
  ])(
    "a primary's inclusion that is %s takes its dependents' along as rejected and leaves nobody",
    async (status, reason) => {
      const mother = primary()
      const child = dependent(mother['tax-id'])
      const [own = '', theirs = ''] = await enroll(mother, child)
      expectOk(await move(own, { status, ...(reason === null ? {} : { reason }) }))
      expect(await detail(own)).toMatchObject({ status, reason })
      expect(await detail(theirs)).toMatchObject({
        status: 'rejected',
        reason: "Primary member's inclusion was rejected",
      })
      expect((await detail(theirs)).history.at(-1)).toMatchObject({ actor: 'operator' })
      expect(await shown(mother['tax-id'])).toBeUndefined()
      expect(await shown(child['tax-id'])).toBeUndefined()
      expect(
        await testApp.sql(
          'select 1 from benefit b join enrollment e on e.company_id = b.company_id and e.benefit_id = b.id where e.id = any($1)',
          [[own, theirs]],
        ),
      ).toEqual([])
      // They can be sent again.
      expect((await testApp.include(partner, company, [mother, child])).status).toBe('completed')
    },
  )

  test('in bulk a dependent that falls with its primary counts as moved', async () => {
    const mother = primary()
    const [child = '', own = ''] = await enroll(dependent(mother['tax-id']), mother)
    const response = await moveAll([child, own], { status: 'rejected', reason: 'Desistência' })
    expect(response.body.result).toEqual([
      { 'enrollment-id': child, status: 'rejected' },
      { 'enrollment-id': own, status: 'rejected' },
    ])
  })
})

describe('400', () => {
  test.each(['rejected', 'pending-documents', 'pending-correction'])('%s without a reason', async (status) => {
    const [id = ''] = await enroll(primary())
    for (const reason of [undefined, null, '   ']) {
      const response = await move(id, { status, ...(reason === undefined ? {} : { reason }) })
      expect(response.status).toBe(400)
      expect(response.body.details).toEqual([{ field: 'reason', code: 'missing' }])
    }
    expect((await detail(id)).status).toBe('created')
  })

  test.each([
    [{}, 'status'],
    [{ status: 'scheduled' }, 'status'],
    [{ status: 'done' }, 'status'],
    [{ status: 'completed', 'start-date': '2026-02-30' }, 'start-date'],
    [{ status: 'created', 'card-number': '1' }, 'card-number'],
    [{ status: 'completed', nonsense: true }, 'nonsense'],
  ])('the body %j names the field', async (body, field) => {
    const [id = ''] = await enroll(primary())
    const response = await move(id, body)
    expect(response.status).toBe(400)
    expect(response.body.error).toBe('Invalid body')
    expect(response.body.details.map((detail: Json) => detail.field)).toContain(field)
  })

  test('no id, 10,001 ids, and a malformed one', async () => {
    const many = Array.from({ length: 10_001 }, () => '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21')
    for (const ids of [[], many, ['x']]) expect((await moveAll(ids, { status: 'completed' })).status).toBe(400)
    const response = await move('x', { status: 'completed' })
    expect(response.body.error).toBe('Invalid enrollment-id')
  })
})

test('403 for a role that may not, 404 for an enrollment that does not exist', async () => {
  const [id = ''] = await enroll(primary())
  for (const role of ['finance', 'auditor']) {
    const operator = await testApp.operatorOf(role)
    const response = await operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed' })
    expect(response.status).toBe(403)
    expect(response.body.error).toBe('Not allowed for this role')
  }
  const response = await move('01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21', { status: 'completed' })
  expect(response.status).toBe(404)
  expect(response.body.error).toBe('Enrollment not found')
})

describe('409', () => {
  test('every transition that the contract does not have is Illegal transition and changes nothing', async () => {
    for (const [path, illegal] of [
      [[], ['created', 'carrier-processing']],
      [['broker-processing'], ['created', 'broker-processing']],
      [
        ['broker-processing', 'carrier-processing'],
        ['created', 'broker-processing', 'cancelled'],
      ],
      [['pending-correction'], ['pending-documents', 'pending-correction']],
      [['completed'], states.filter((state) => state !== 'scheduled')],
      [['rejected'], states.filter((state) => state !== 'scheduled')],
    ] as const) {
      const [id = ''] = await enroll(primary())
      for (const status of path) expectOk(await move(id, { status, reason: 'porque sim' }))
      const before = await detail(id)
      for (const status of illegal) {
        const response = await move(id, { status, reason: 'porque não' })
        expect([path, status, response.status, response.body.error]).toEqual([path, status, 409, 'Illegal transition'])
      }
      expect(await detail(id)).toEqual(before)
    }
  })

  test("a dependent's inclusion before its primary's", async () => {
    const mother = primary()
    const [, child = ''] = await enroll(mother, dependent(mother['tax-id']))
    const response = await move(child, { status: 'completed' })
    expect(response.status).toBe(409)
    expect(response.body.error).toBe('Primary member is not active in this product')
  })

  test('of 20 operators who complete one enrollment at the same instant one succeeds', async () => {
    const [id = ''] = await enroll(primary())
    const responses = await Promise.all(Array.from({ length: 20 }, () => move(id, { status: 'completed' })))
    expect(responses.map((response) => response.status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 19 }, () => 409),
    ])
    expect((await detail(id)).history).toHaveLength(2)
  })
})

test('an inclusion is rejected while another transaction gives the person a benefit: 200, and the person keeps that benefit', async () => {
  const person = primary()
  const [id = ''] = await enroll(person)
  const insertBenefit = `insert into benefit (company_id, id, member_id, product_id, type, status, start_date, created_at, updated_at)
    select m.company_id, gen_random_uuid(), m.id, p.id, 'primary', 'active', '2026-01-01', now(), now()
    from member m join product p on p.company_id = m.company_id and p.name = '${dental}' where m.company_id = '${company.id}' and m.tax_id = '${person['tax-id']}'`
  const [response] = await whileLocked(testApp, insertBenefit, [
    () => move(id, { status: 'rejected', reason: 'Refused by the carrier' }),
  ])
  expect(response?.status).toBe(200)
  expect((await shown(person['tax-id'])).benefits).toHaveLength(1)
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
