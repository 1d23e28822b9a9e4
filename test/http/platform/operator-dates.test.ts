import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

/* The dates that operators send. Today is Monday, 2026-11-23. */

const testApp = useTestApp({ VIGENCIA_BUSINESS_DATE: monday })
const { company, partner } = useCompany(testApp)

const products = inProduct('health-insurance', health, 'on-admission-date')

/** Somebody with cover since 2026-11-02. */
async function covered(): Promise<string> {
  const one = primary({ products })
  await testApp.include(partner, company, [one], '?resolution=approve')
  return one['tax-id']
}

const benefitOf = async (cpf: string): Promise<Json> =>
  expectOk(await partner.get(`/v1/member?include-inactive=true&filter=tax-id=${cpf}`)).body.result[0].benefits[0]

async function excluded(cpf: string, details: Json = {}): Promise<string> {
  const path = `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}`
  const sent = { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', ...details }
  const { body } = expectOk(await partner.post(path, { 'exclusion-details': sent }))
  const request = expectOk(await partner.get(`/v1/request/${body['request-id']}`)).body
  return request['status-by-tax-id'][cpf][health]['enrollment-id']
}

async function included(): Promise<string> {
  const one = primary({ products })
  const request = await testApp.include(partner, company, [one])
  return request['status-by-tax-id'][one['tax-id']][health]['enrollment-id']
}

const move = (id: string, body: Json): Promise<ApiResponse> =>
  testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed', ...body })

const moveAll = async (body: Json): Promise<Json[]> =>
  expectOk(await testApp.operator.post('/operator/v1/enrollment/transition', body)).body.result

const decide = async (lines: readonly Json[], query = ''): Promise<Json> =>
  expectOk(
    await testApp.call('POST', `/operator/v1/enrollment/decision${query}`, {
      token: testApp.operator.token,
      body: Buffer.from(lines.map((line) => JSON.stringify({ status: 'completed', ...line })).join('\n')),
      headers: { 'content-type': 'application/x-ndjson', prefer: 'wait=60' },
    }),
  ).body

const beforeStart = { code: 'before-start-date', details: [{ field: 'end-date', code: 'before-start-date' }] }
const far = (field: string) => ({ code: 'date-out-of-range', details: [{ field, code: 'date-out-of-range' }] })

describe('an end before the start of the benefit', () => {
  test('is refused in a transition, an item and a line, and nothing is done', async () => {
    const cpf = await covered()
    const id = await excluded(cpf)
    const response = await move(id, { 'end-date': '2026-11-01' })
    expect([response.status, response.body]).toEqual([400, expect.objectContaining(beforeStart)])
    const item = { 'enrollment-id': id, 'end-date': '2026-11-01' }
    expect(await moveAll({ items: [{ status: 'completed', ...item }] })).toMatchObject([beforeStart])
    for (const query of ['', '?dry-run=true', '?confirm=true']) {
      expect(await decide([item], query)).toMatchObject({ accepted: 0, rejected: 1, result: [beforeStart] })
    }
    expect(await benefitOf(cpf)).toMatchObject({ status: 'active', 'end-date': null })
    expectOk(await move(id, { 'end-date': '2026-11-02' }))
    expect(await benefitOf(cpf)).toMatchObject({ status: 'inactive', 'end-date': '2026-11-02' })
  })

  test('is refused when a benefit of an extension plan ends', async () => {
    const cpf = await covered()
    expectOk(await move(await excluded(cpf, { 'extension-plan': true }), {}))
    const path = `/operator/v1/benefit/${(await benefitOf(cpf))['benefit-id']}/end`
    const end = (day: string, more: Json = {}) =>
      testApp.operator.post(path, { 'end-date': day, reason: 'Prazo legal', ...more })
    const early = await end('2026-11-01')
    expect([early.status, early.body]).toEqual([400, expect.objectContaining(beforeStart)])
    const late = await end('2028-11-24')
    expect([late.status, late.body]).toEqual([400, expect.objectContaining({ code: 'date-out-of-range' })])
    expect(await benefitOf(cpf)).toMatchObject({ status: 'active', 'end-date': null })
    expectOk(await end('2028-11-24', { confirm: true }))
    expect(await benefitOf(cpf)).toMatchObject({ status: 'active', 'end-date': '2028-11-24' })
  })

  test('of the primary may be before that of a dependent, who has no cover then', async () => {
    const mother = primary({ products, 'admission-date': '2026-11-02' })
    const child = dependent(mother['tax-id'], { products })
    await testApp.include(partner, company, [mother, child], '?resolution=approve')
    await testApp.sql(`update benefit b set start_date = '2026-11-20' from member m
      where m.company_id = b.company_id and m.id = b.member_id and m.tax_id = '${child['tax-id']}'`)
    expectOk(await move(await excluded(mother['tax-id']), { 'end-date': '2026-11-10' }))
    expect(await benefitOf(child['tax-id'])).toMatchObject({ status: 'inactive', 'end-date': '2026-11-19' })
  })
})

describe('a date more than two years from today', () => {
  const days = ['0001-01-01', '1899-12-31', '1990-01-01', '2024-11-22', '2028-11-24', '9999-12-31']

  test.each(days)('%s is refused as start-date and as end-date, wherever it is sent', async (day) => {
    const [inclusion, exclusion] = [await included(), await excluded(await covered())]
    const single = await move(inclusion, { 'start-date': day })
    expect(single).toMatchObject({ status: 400, body: far('start-date') })
    const items = [
      { 'enrollment-id': inclusion, status: 'completed', 'start-date': day },
      { 'enrollment-id': exclusion, status: 'completed', 'end-date': day },
    ]
    expect(await moveAll({ items })).toMatchObject([far('start-date'), far('end-date')])
    expect(await decide(items)).toMatchObject({ accepted: 0, result: [far('start-date'), far('end-date')] })
    expect(await decide(items, '?dry-run=true')).toMatchObject({ accepted: 0 })
  })

  test('two years to the day are taken', async () => {
    const [first, second] = [await included(), await included()]
    expect(await decide([{ 'enrollment-id': first, 'start-date': '2024-11-23' }])).toMatchObject({ accepted: 1 })
    expectOk(await move(second, { 'start-date': '2028-11-23' }))
  })

  test('is taken with confirm: in a body, an item, a line, and of all items and lines', async () => {
    const start = { 'start-date': '1998-03-02' }
    const item = async (more: Json = {}) => ({ 'enrollment-id': await included(), ...start, ...more })
    const done = (await item())['enrollment-id']
    expect(expectOk(await move(done, { ...start, confirm: true })).body.result).toMatchObject(start)
    const own = [await item({ confirm: true, status: 'completed' }), await item({ status: 'completed' })]
    expect(await moveAll({ items: own })).toMatchObject([{ status: 'completed' }, far('start-date')])
    expect(await moveAll({ items: own.slice(1), confirm: true })).toMatchObject([{ status: 'completed' }])
    expect(await decide([await item({ confirm: true }), await item()])).toMatchObject({ accepted: 1, rejected: 1 })
    expect(await decide([await item(), await item()], '?confirm=true')).toMatchObject({ accepted: 2, rejected: 0 })
    const cpf = await covered()
    expectOk(await move(await excluded(cpf), { 'end-date': '2031-01-31', confirm: true }))
    expect(await benefitOf(cpf)).toMatchObject({ status: 'active', 'end-date': '2031-01-31' })
  })

  test('is not applicable to a movement that takes no such date, confirmed or not', async () => {
    const id = await included()
    expect(await move(id, { 'end-date': '1899-12-31' })).toMatchObject({ body: { code: 'not-applicable' } })
    expect(await move(id, { status: 'rejected', reason: 'x', confirm: true })).toMatchObject({ status: 200 })
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  const { 'dependent-period': _start, ...rest } = await readViolations(testApp.sql)
  expect(rest).toEqual({})
})
