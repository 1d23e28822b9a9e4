import { expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  life,
  openTestApp,
  premium,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: '2026-11-23' })
const { company, partner } = useCompany(testApp)

const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result
const advance = async (days: number): Promise<Json> =>
  expectOk(await testApp.operator.post('/operator/v1/clock', { 'advance-days': days })).body.result
const historyOf = ({ history }: Json) => history.map((step: Json) => [step.status, step.actor])

/** Includes people. @returns the enrollments by the order of the members. */
async function included(members: readonly Json[], query = ''): Promise<string[]> {
  const request = await testApp.include(partner, company, [...members], query)
  return members.map((member) => {
    const parts = Object.values<Json>(request['status-by-tax-id'][member['tax-id']])
    return parts[0]['enrollment-id']
  })
}
const includedWith = async (sandbox: Json): Promise<string> => (await included([primary({ sandbox })]))[0] ?? ''
/** Once the outcome is there. */
const ended = (id: string, status: string) =>
  until(
    () => detail(id),
    (shown) => shown.status === status,
  )

test('an inclusion completes at once, with its card, as resolution does', async () => {
  const id = await includedWith({ outcome: 'completed', 'card-number': '0001' })
  const shown = await ended(id, 'completed')
  expect(historyOf(shown)).toEqual([
    ['created', 'partner'],
    ['completed', 'resolution'],
  ])
  const { result } = expectOk(await partner.get(`/v1/benefit?member-tax-id=${shown['member-tax-id']}`)).body
  expect(result.map((benefit: Json) => [benefit.status, benefit['card-number']])).toEqual([['active', '0001']])
})

test.each([
  ['rejected', 'rejected'],
  ['pending-documents', 'pending-documents'],
  ['pending-correction', 'pending-correction'],
])('%s has the reason that was sent', async (outcome, status) => {
  const shown = await ended(await includedWith({ outcome, reason: 'Falta o RG' }), status)
  expect(shown.reason).toBe('Falta o RG')
  const items = shown['pending-items'] ?? []
  expect(items).toHaveLength(status === 'rejected' ? 0 : 1)
})

test('a pending movement is answered and goes on by hand', async () => {
  const id = await includedWith({ outcome: 'pending-correction' })
  const shown = await ended(id, 'pending-correction')
  expect(shown.reason).toBe('Outcome of the sandbox: pending-correction')
  const [{ field }] = shown['pending-items']
  expectOk(await partner.post(`/v1/enrollment/${id}/answer`, { data: { [field]: 'Fátima Brandão' } }))
  expect((await detail(id)).status).toBe('created')
})

test('no-answer: it goes to the carrier, and stays there', async () => {
  const id = await includedWith({ outcome: 'no-answer' })
  const shown = await ended(id, 'carrier-processing')
  expect(historyOf(shown)).toEqual([
    ['created', 'partner'],
    ['broker-processing', 'resolution'],
    ['carrier-processing', 'resolution'],
  ])
  await advance(3)
  expect((await detail(id)).status).toBe('carrier-processing')
})

/** The outcomes of each day that had any; other things are due on days of their own. */
const outcomesOfDays = ({ 'applied-days': days }: Json) =>
  days.flatMap((day: Json) => (day['sandbox-outcomes'] === 0 ? [] : [day['sandbox-outcomes']]))

test('after-days: on that day of the clock, which counts it', async () => {
  const id = await includedWith({ outcome: 'rejected', 'after-days': 3 })
  const due = await testApp.sql(
    'select due_date - accepted_on as days from sandbox_outcome natural join (select id as enrollment_id, company_id, accepted_on from enrollment) enrollment',
  )
  expect(due).toEqual([{ days: 3 }])
  expect(outcomesOfDays(await advance(2))).toEqual([])
  expect((await detail(id)).status).toBe('created')
  expect(outcomesOfDays(await advance(1))).toEqual([1])
  expect((await detail(id)).status).toBe('rejected')
})

test('a family: dependents wait for their primary, also over days; with a rejected one they are rejected', async () => {
  const mother = primary({ sandbox: { outcome: 'completed', 'after-days': 2 } })
  const child = dependent(mother['tax-id'], { sandbox: { outcome: 'completed' } })
  const father = primary({ sandbox: { outcome: 'rejected' } })
  const son = dependent(father['tax-id'], { sandbox: { outcome: 'completed' } })
  const ids = await included([mother, child, father, son])
  const statuses = async () => (await Promise.all(ids.map(detail))).map(({ status }) => status)
  expect(await statuses()).toEqual(['created', 'created', 'rejected', 'rejected'])
  expect(outcomesOfDays(await advance(2))).toEqual([2])
  expect(await statuses()).toEqual(['completed', 'completed', 'rejected', 'rejected'])
  expect(await testApp.sql('select * from sandbox_outcome')).toEqual([])
})

test('a scheduled inclusion may be pending or go to the carrier, by the statuses between', async () => {
  const products = inProduct('life-insurance', life, 'on-admission-date')
  const later = { 'admission-date': '2027-01-31', products }
  const ids = await included([
    primary({ ...later, sandbox: { outcome: 'pending-documents' } }),
    primary({ ...later, sandbox: { outcome: 'no-answer' } }),
  ])
  expect(
    (await Promise.all(ids.map(detail))).map((shown) => historyOf(shown).map(([status]: string[]) => status)),
  ).toEqual([
    ['scheduled', 'created', 'pending-documents'],
    ['scheduled', 'created', 'broker-processing', 'carrier-processing'],
  ])
})

test('resolution goes before it, and what an operator did stays', async () => {
  const [approved = ''] = await included([primary({ sandbox: { outcome: 'rejected' } })], '?resolution=approve')
  expect((await detail(approved)).status).toBe('completed')
  const taken = await includedWith({ outcome: 'completed', 'after-days': 1 })
  const body = { status: 'rejected', reason: 'Duplicada' }
  expectOk(await testApp.operator.post(`/operator/v1/enrollment/${taken}/transition`, body))
  expect(outcomesOfDays(await advance(1))).toEqual([])
  expect((await detail(taken)).reason).toBe('Duplicada')
  expect(await testApp.sql('select * from sandbox_outcome')).toEqual([])
})

test('exclusions and alterations, alone and in batches', async () => {
  const people = Array.from({ length: 5 }, () => primary())
  const child = dependent(people[0]?.['tax-id'])
  await testApp.include(partner, company, [...people, child], '?resolution=approve')
  const [mother, moved, leaving, changed, waiting] = people.map((person) => person['tax-id'])
  const { 'business-date': today } = expectOk(await testApp.operator.get('/operator/v1/clock')).body.result
  const details = { 'exclusion-details': { 'end-date': today, 'exclusion-reason': 'dismissal' } }
  const send = async (path: string, body: Json): Promise<Json> =>
    testApp.finished(partner, expectOk(await partner.post(path, body)).body['request-id'])
  const statusesOf = async (request: Json) => {
    const parts = Object.values<Json>(request['status-by-tax-id']).flatMap((own) => Object.values<Json>(own))
    return (await Promise.all(parts.map((part) => detail(part['enrollment-id'])))).map(({ status }) => status)
  }
  const completed = { sandbox: { outcome: 'completed' } }
  const byCompany = (taxId: string) => `/v1/enrollment/exclusion/${taxId}/company/${company.taxId}`
  expect(await statusesOf(await send(byCompany(mother), { ...details, ...completed }))).toEqual([
    'completed',
    'completed',
  ])
  const alteration = { 'alteration-data': { 'new-product-id': company.products[premium] } }
  const card = { sandbox: { outcome: 'completed', 'card-number': '77' } }
  const altered = await send(`/v1/enrollment/alteration/${moved}`, { ...alteration, ...card })
  expect(await statusesOf(altered)).toEqual(['completed'])
  const batch = { 'company-tax-id': company.taxId }
  const exclusions = await send('/v1/enrollment/exclusion', {
    ...batch,
    members: [
      { 'tax-id': leaving, ...details, sandbox: { outcome: 'rejected', reason: 'Vínculo ativo' } },
      { 'tax-id': waiting, ...details, sandbox: { outcome: 'pending-documents' } },
    ],
  })
  expect((await statusesOf(exclusions)).toSorted()).toEqual(['pending-documents', 'rejected'])
  const alterations = await send('/v1/enrollment/alteration', {
    ...batch,
    members: [{ 'tax-id': changed, 'alteration-data': { phone: '11987654321' }, sandbox: { outcome: 'no-answer' } }],
  })
  expect(await statusesOf(alterations)).toEqual(['carrier-processing'])
  const benefits = expectOk(await partner.get(`/v1/benefit?member-tax-id=${moved}`)).body.result
  expect(benefits.map((benefit: Json) => [benefit['product-name'], benefit['card-number']])).toContainEqual([
    premium,
    '77',
  ])
  expect(await readViolations(testApp.sql, today)).toEqual({})
})

test('what is no outcome is an offense of the member, or a detail of the body', async () => {
  const wrong = { outcome: 'completed', 'after-days': 61 }
  const body = { 'company-tax-id': company.taxId, members: [primary({ sandbox: wrong })] }
  const inclusion = await partner.post('/v1/enrollment/inclusion', body)
  expect([inclusion.status, inclusion.body.result[0].offenses]).toEqual([400, ['invalid-sandbox']])
  const exclusion = await partner.post(`/v1/enrollment/exclusion/${primary()['tax-id']}/company/${company.taxId}`, {
    'exclusion-details': { 'end-date': '2026-12-31', 'exclusion-reason': 'dismissal' },
    sandbox: wrong,
  })
  expect([exclusion.status, exclusion.body.details]).toEqual([
    400,
    [
      {
        field: 'sandbox',
        code: 'invalid',
        message: expect.stringContaining('sandbox.after-days'),
      },
    ],
  ])
})

test('in production it is 400 staging-only, and nothing is stored', async () => {
  const own = await openTestApp({ VIGENCIA_ENVIRONMENT: 'production' })
  try {
    const other = await own.company()
    const client = await own.partner(other.taxId)
    const sandbox = { outcome: 'completed' }
    const details = { 'exclusion-details': { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal' } }
    const of = (members: Json[]) => ({ 'company-tax-id': other.taxId, members })
    const member = primary()
    const calls = [
      ['/v1/enrollment/inclusion', of([member, primary({ sandbox })]), 'members[1].sandbox'],
      ['/v1/enrollment/exclusion', of([{ 'tax-id': member['tax-id'], ...details, sandbox }]), 'members[0].sandbox'],
      [
        `/v1/enrollment/exclusion/${member['tax-id']}/product/${other.products[health]}`,
        { ...details, sandbox },
        'sandbox',
      ],
    ] as const
    for (const [path, body, field] of calls) {
      const response = await client.post(path, body)
      expect([path, response.status, response.body.details]).toEqual([path, 400, [{ field, code: 'staging-only' }]])
    }
    expect(await own.sql('select * from request')).toEqual([])
  } finally {
    await own.close()
  }
})
