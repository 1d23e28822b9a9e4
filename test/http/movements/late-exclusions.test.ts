import { describe, expect, test } from 'vitest'
import { addDays } from '#kernel/calendar.ts'
import { readViolations } from '../../crash/invariants.ts'
import { holder, ndjson, sendImport } from '../../world/import.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  premium,
  primary,
  until,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

/*
 * Exclusions that are decided after the benefit has ended. Each test begins on the day on which the one before stopped: `today`.
 */

let today = monday
const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: monday })
const { company, partner } = useCompany(testApp)

const products = inProduct('health-insurance', health, 'on-admission-date')
const inDays = (days: number) => addDays(today, days)

async function family(): Promise<{ mother: string; child: string }> {
  const mother = primary({ products, 'admission-date': '2026-11-02' })
  const child = dependent(mother['tax-id'], { products })
  await testApp.include(partner, company, [mother, child], '?resolution=approve')
  return { mother: mother['tax-id'], child: child['tax-id'] }
}

const benefitsOf = async (cpf: string): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/member?include-inactive=true&filter=tax-id=${cpf}`)).body.result[0].benefits

const benefitOf = async (cpf: string): Promise<Json> => (await benefitsOf(cpf))[0]

const detail = async (id: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

/** Excludes from the product. @returns the enrollment of the person. */
async function exclude(cpf: string, endDate: string, query = '', more: Json = {}): Promise<string> {
  const path = `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}${query}`
  const details = { 'end-date': endDate, 'exclusion-reason': 'dismissal', ...more }
  const { body } = expectOk(await partner.post(path, { 'exclusion-details': details }))
  const parts = expectOk(await partner.get(`/v1/request/${body['request-id']}`)).body['status-by-tax-id']
  return parts[cpf][health]['enrollment-id']
}

const move = (id: string, body: Json = {}): Promise<ApiResponse> =>
  testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed', ...body })

const decide = async (lines: readonly Json[], query = ''): Promise<Json> =>
  expectOk(
    await testApp.call('POST', `/operator/v1/enrollment/decision${query}`, {
      token: testApp.operator.token,
      body: Buffer.from(lines.map((line) => JSON.stringify({ status: 'completed', ...line })).join('\n')),
      headers: { 'content-type': 'application/x-ndjson', prefer: 'wait=60' },
    }),
  ).body

/** Days pass, until the benefits have ended. */
async function untilEnded(days: number, ...cpfs: string[]): Promise<void> {
  today = inDays(days)
  await testApp.restart({ VIGENCIA_BUSINESS_DATE: today })
  await until(
    () => Promise.all(cpfs.map(benefitOf)),
    (shown) => shown.every(({ status }) => status === 'inactive'),
  )
}

const eventsOf = async (benefitId: string): Promise<string[]> =>
  (
    await testApp.sql(
      `select type from event where data ->> 'benefit-id' = $1 and type like 'benefit.%' order by at, id`,
      [benefitId],
    )
  ).map((row) => row['type'])

const closed = { status: 'rejected', reason: 'Benefit has ended' }
const lastStep = async (id: string): Promise<Json> => (await detail(id)).history.at(-1)

describe('an exclusion with a later day, accepted before the benefit ended', () => {
  test('extends the benefit to that day, with the dependents that ended with it; the clock ends them then', async () => {
    const { mother, child } = await family()
    await exclude(mother, inDays(4), '?resolution=approve')
    const id = await exclude(mother, inDays(30))
    await untilEnded(4, mother, child)
    expect((await detail(id)).status).toBe('scheduled')
    const since = new Date().toISOString()
    const preview = await decide([{ 'enrollment-id': id }], '?dry-run=true')
    expect(preview).toMatchObject({ accepted: 1, rejected: 0 })
    expect(await benefitOf(mother)).toMatchObject({ status: 'inactive' })
    expectOk(await move(id))
    const end = inDays(26)
    for (const cpf of [mother, child]) {
      const shown = await benefitOf(cpf)
      expect(shown).toMatchObject({ status: 'active', 'end-date': end })
      expect((await eventsOf(shown['benefit-id'])).slice(-2)).toEqual(['benefit.deactivated', 'benefit.activated'])
    }
    const changed = expectOk(
      await partner.get(`/v1/benefit?company-tax-id=${company.taxId}&updated-since=${since}`),
    ).body
    expect(changed.result.map((one: Json) => one['member-tax-id'])).toEqual(expect.arrayContaining([mother, child]))
    await untilEnded(26, mother, child)
    expect(await benefitOf(mother)).toMatchObject({ 'end-date': end })
  })

  test('extends to the day that the operator gives; a day that is not later is an illegal transition', async () => {
    const { mother } = await family()
    await exclude(mother, inDays(2), '?resolution=approve')
    const id = await exclude(mother, inDays(5))
    await untilEnded(2, mother)
    for (const given of [today, inDays(-1)]) {
      expect(await move(id, { 'end-date': given })).toMatchObject({ status: 409, body: { code: 'illegal-transition' } })
    }
    expect(await benefitOf(mother)).toMatchObject({ status: 'inactive', 'end-date': today })
    expectOk(await move(id, { 'end-date': inDays(60) }))
    expect(await benefitOf(mother)).toMatchObject({ status: 'active', 'end-date': inDays(60) })
  })

  test('decided after its own day, moves the end without an event of the benefit', async () => {
    const { mother, child } = await family()
    await exclude(mother, inDays(2), '?resolution=approve')
    const id = await exclude(mother, inDays(5))
    await untilEnded(2, mother, child)
    await untilEnded(7, mother, child)
    const before = await eventsOf((await benefitOf(child))['benefit-id'])
    expectOk(await move(id))
    expect(await benefitOf(mother)).toMatchObject({ status: 'inactive', 'end-date': inDays(-4) })
    expect(await benefitOf(child)).toMatchObject({ status: 'inactive', 'end-date': inDays(-4) })
    expect(await eventsOf((await benefitOf(child))['benefit-id'])).toEqual(before)
  })

  test('leaves a dependent who had an end of its own, and keeps both under an extension plan', async () => {
    const [own, kept] = [await family(), await family()]
    await exclude(own.child, inDays(1), '?resolution=approve')
    await exclude(own.mother, inDays(3), '?resolution=approve')
    const ownId = await exclude(own.mother, inDays(9))
    await exclude(kept.mother, inDays(3), '?resolution=approve')
    const keptId = await exclude(kept.mother, inDays(9), '', { 'extension-plan': true })
    await untilEnded(3, own.mother, own.child, kept.mother, kept.child)
    expect(await decide([{ 'enrollment-id': ownId }, { 'enrollment-id': keptId }])).toMatchObject({ accepted: 2 })
    expect(await benefitOf(own.mother)).toMatchObject({ status: 'active', 'end-date': inDays(6) })
    expect(await benefitOf(own.child)).toMatchObject({ status: 'inactive', 'end-date': inDays(-2) })
    for (const cpf of [kept.mother, kept.child]) {
      expect(await benefitOf(cpf)).toMatchObject({ status: 'active', 'end-date': null, 'extension-plan': true })
    }
  })

  test('revives a dependent’s benefit that was void because the primary ended before its start', async () => {
    const { mother, child } = await family()
    await testApp.sql(`update benefit b set start_date = '${inDays(6)}' from member m
      where m.company_id = b.company_id and m.id = b.member_id and m.tax_id = '${child}'`)
    await exclude(mother, inDays(3), '?resolution=approve')
    const id = await exclude(mother, inDays(9))
    await untilEnded(3, mother, child)
    expect(await benefitOf(child)).toMatchObject({ 'end-date': inDays(2) })
    expectOk(await move(id))
    expect(await benefitOf(child)).toMatchObject({ status: 'active', 'start-date': inDays(3), 'end-date': inDays(6) })
  })

  test('of a dependent alone cannot outlive the primary', async () => {
    const { mother, child } = await family()
    await exclude(mother, inDays(2), '?resolution=approve')
    const id = await exclude(child, inDays(20))
    await untilEnded(2, mother, child)
    expect((await detail(id)).status).toBe('scheduled')
    expect(await move(id)).toMatchObject({ status: 409, body: { code: 'illegal-transition' } })
    const other = await family()
    await exclude(other.child, inDays(2), '?resolution=approve')
    const otherId = await exclude(other.child, inDays(20))
    await untilEnded(2, other.child)
    expectOk(await move(otherId))
    expect(await benefitOf(other.child)).toMatchObject({ status: 'active', 'end-date': inDays(18) })
    expect(await benefitOf(other.mother)).toMatchObject({ status: 'active', 'end-date': null })
  })

  test('is an illegal transition once the person has the product again', async () => {
    const { mother } = await family()
    await exclude(mother, inDays(2), '?resolution=approve')
    const id = await exclude(mother, inDays(20))
    await untilEnded(2, mother)
    const again = primary({
      'tax-id': mother,
      products: inProduct('health-insurance', health, 'on-next-billing-period'),
    })
    await testApp.include(partner, company, [again])
    expect(await move(id)).toMatchObject({ status: 409, body: { code: 'illegal-transition' } })
    expect(await decide([{ 'enrollment-id': id }])).toMatchObject({ result: [{ code: 'illegal-transition' }] })
    expect((await benefitsOf(mother)).map(({ status }) => status).toSorted()).toEqual(['inactive', 'pending'])
    expectOk(await move(id, { status: 'rejected', reason: 'Reincluída' }))
  })
})

describe('when the clock ends a benefit', () => {
  test('its other open movements are rejected with their parts, by the clock; registration data stay and apply', async () => {
    const { mother, child } = await family()
    await exclude(mother, inDays(3), '?resolution=approve')
    const id = await exclude(mother, inDays(3))
    const data = { 'alteration-data': { email: 'helena@example.com' } }
    const alteration = expectOk(await partner.post(`/v1/enrollment/alteration/${mother}`, data)).body['request-id']
    const changed = await family()
    await exclude(changed.mother, inDays(3), '?resolution=approve')
    const change = { 'alteration-data': { 'new-product-id': company.products[premium] } }
    const changing = expectOk(await partner.post(`/v1/enrollment/alteration/${changed.mother}`, change)).body[
      'request-id'
    ]
    await untilEnded(3, mother, child, changed.mother)
    const [part] = await testApp.sql('select id from enrollment where primary_enrollment_id = $1', [id])
    const enrollmentOf = async (request: string): Promise<string> =>
      (await testApp.sql('select id from enrollment where request_id = $1', [request]))[0]?.['id']
    for (const one of [id, part?.['id'], await enrollmentOf(changing)]) {
      expect(await lastStep(one)).toMatchObject({ ...closed, actor: 'clock' })
      const events = await testApp.sql("select type from event where data ->> 'enrollment-id' = $1", [one])
      expect(events.map((row) => row['type'])).toContain('enrollment.rejected')
      const audited = await testApp.sql("select action from audit where target = $1 and actor = 'clock'", [one])
      expect(audited.map((row) => row['action'])).toContain('enrollment.rejected')
    }
    const open = await enrollmentOf(alteration)
    expect((await detail(open)).status).toBe('created')
    expectOk(await move(open))
    const found = expectOk(await partner.get(`/v1/member?include-inactive=true&filter=tax-id=${mother}`)).body.result[0]
    const { registrations } = expectOk(await partner.get(`/v1/member/${found.id}`)).body.result
    expect(registrations).toMatchObject([{ 'email-private': 'helena@example.com' }])
  })
})

test('an import that ends the primary in the past closes the dependent’s exclusion that was accepted after that day', async () => {
  const mother = primary({ products, 'admission-date': '2026-11-02' })
  const child = dependent(mother['tax-id'], { products })
  await testApp.include(partner, company, [mother, child], '?resolution=approve')
  const id = await exclude(child['tax-id'], inDays(30))
  const line = holder(company, { 'tax-id': mother['tax-id'], 'start-date': '2026-11-02', 'end-date': '2026-11-20' })
  expect(expectOk(await sendImport(testApp.operator, ndjson([line]))).body).toMatchObject({ accepted: 1 })
  expect(await benefitOf(child['tax-id'])).toMatchObject({ status: 'inactive', 'end-date': '2026-11-20' })
  expect(await lastStep(id)).toMatchObject({ ...closed, actor: 'operator' })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql, today)).toEqual({})
})
