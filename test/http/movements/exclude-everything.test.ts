import { describe, expect, test } from 'vitest'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
  dental,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  monday,
  nextCpf,
  premium,
  primary,
  useTestApp,
  useCompany,
} from '../../world/test-app.ts'

/* Somebody who leaves: by one call for each product, and by one call for the company. */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const approve = '?resolution=approve'
const inBoth = { ...inProduct('health-insurance', health), ...inProduct('dental-insurance', dental) }
const body = (more: Json = {}) => ({
  'exclusion-details': { 'end-date': monday, 'exclusion-reason': 'dismissal', ...more },
})
const exclude = (cpf: string, rest: string, more: Json = {}, client = partner): Promise<ApiResponse> =>
  client.post(`/v1/enrollment/exclusion/${cpf}/${rest}`, body(more))
const everything = (cpf: string, more: Json = {}, client = partner, at = company.taxId) =>
  exclude(cpf, `company/${at}`, more, client)

const request = async (response: ApiResponse): Promise<Json> =>
  expectOk(await partner.get(`/v1/request/${expectOk(response).body['request-id']}`)).body

const complete = async (shown: Json): Promise<void> => {
  const parts = Object.values<Json>(shown['status-by-tax-id']).flatMap((products) => Object.values<Json>(products))
  const ids = parts.map((part) => part['enrollment-id'])
  const { body: done } = expectOk(
    await testApp.operator.post('/operator/v1/enrollment/transition', { 'enrollment-ids': ids, status: 'completed' }),
  )
  for (const one of done.result) expect(one).toMatchObject({ status: 'completed' })
}

const benefits = async (cpf: string): Promise<Json[]> =>
  expectOk(await partner.get(`/v1/benefit?member-tax-id=${cpf}&include-inactive=true`)).body.result

/** A mother with two products and two children in both. */
async function family(): Promise<[string, string, string]> {
  const mother = primary({ products: inBoth })
  const children = [1, 2].map(() => dependent(mother['tax-id'], { products: inBoth }))
  await testApp.include(partner, company, [mother, ...children], approve)
  return [mother, ...children].map((one) => one['tax-id']) as [string, string, string]
}

describe('somebody with two plans and two dependents leaves', () => {
  test.each([
    ['health first', [health, dental]],
    ['dental first', [dental, health]],
  ])('by two calls, %s', async (_, order) => {
    const everybody = await family()
    const shown = []
    for (const product of order) {
      shown.push(await request(await exclude(everybody[0], `product/${company.products[product]}`)))
    }
    for (const one of shown) {
      expect(Object.keys(one['status-by-tax-id']).toSorted()).toEqual(everybody.toSorted())
    }
    for (const one of shown.toReversed()) await complete(one)
    for (const cpf of everybody) {
      expect((await benefits(cpf)).map((one) => [one.status, one['end-date']])).toEqual([
        ['inactive', monday],
        ['inactive', monday],
      ])
    }
  })

  test('by one call: everything, in one request, and nobody else', async () => {
    const everybody = await family()
    const [other] = await family()
    const shown = await request(await everything(everybody[0], {}))
    expect(shown).toMatchObject({ status: 'completed', 'enrollment-summary': { created: 6 } })
    expect(Object.keys(shown['status-by-tax-id']).toSorted()).toEqual(everybody.toSorted())
    await complete(shown)
    for (const cpf of everybody) expect((await benefits(cpf)).every(({ status }) => status === 'inactive')).toBe(true)
    expect((await benefits(other)).every(({ status }) => status === 'active')).toBe(true)
  })

  test('after the dependents left by themselves', async () => {
    const [mother, son, daughter] = await family()
    const own = await request(await exclude(son, `dependent-of/${mother}`, { 'end-date': '2026-12-31' }))
    const shown = await request(await everything(mother))
    expect(Object.keys(shown['status-by-tax-id']).toSorted()).toEqual([mother, daughter].toSorted())
    await complete(shown)
    for (const { status, 'end-date': end } of await benefits(son)) expect([status, end]).toEqual(['inactive', monday])
    expect((await partner.get(`/v1/request/${own['request-id']}`)).body['enrollment-summary']).toEqual({ completed: 2 })
  })
})

describe('everything in a company', () => {
  test('includes what the person has as a dependent, under a name of its own where the product is held in two roles', async () => {
    const [father] = await family()
    const mother = primary({ products: inBoth })
    await testApp.include(partner, company, [mother], approve)
    const cpf = mother['tax-id']
    const spouse = dependent(father, { 'tax-id': cpf, 'dependent-type': 'spouse', products: inBoth })
    const twice = dependent(cpf, { products: inProduct('health-insurance', health) })
    await testApp.include(partner, company, [spouse, twice], approve)
    const shown = await request(await everything(cpf))
    expect(Object.keys(shown['status-by-tax-id'][cpf]).toSorted()).toEqual(
      [dental, `${dental} (dependent)`, health, `${health} (dependent)`].toSorted(),
    )
    expect(Object.keys(shown['status-by-tax-id'][twice['tax-id']])).toEqual([health])
    for (const [name, part] of Object.entries<Json>(shown['status-by-tax-id'][cpf])) {
      const { result } = expectOk(await partner.get(`/v1/enrollment/detail/${part['enrollment-id']}`)).body
      expect(result['member-type']).toBe(name.endsWith('(dependent)') ? 'dependent' : 'primary')
    }
    await complete(shown)
    expect((await benefits(cpf)).filter(({ status }) => status !== 'inactive')).toEqual([])
    expect((await benefits(father)).every(({ status }) => status === 'active')).toBe(true)
  })

  test('voids a plan change that was completed ahead of its day', async () => {
    const [mother] = await family()
    expectOk(
      await partner.post(`/v1/enrollment/alteration/${mother}${approve}`, {
        'company-tax-id': company.taxId,
        'alteration-data': { 'new-product-id': company.products[premium], 'requested-start-date': '2026-12-20' },
      }),
    )
    const byProduct = await exclude(mother, `product/${company.products[premium]}`)
    expect(byProduct.status).toBe(409)
    await complete(await request(await everything(mother)))
    expect((await benefits(mother)).map((one) => [one['product-name'], one.status]).toSorted()).toEqual(
      [
        [dental, 'inactive'],
        [health, 'inactive'],
      ].toSorted(),
    )
  })

  test('is refused as a whole for an open change of one of the benefits, and for an end before a start', async () => {
    const [mother] = await family()
    const open = await request(await exclude(mother, `product/${company.products[dental]}`))
    const refused = await everything(mother)
    expect([refused.status, refused.body.error]).toEqual([
      409,
      'Exclusion not performed. Member still has ongoing enrollments',
    ])
    expect(refused.body['enrollment-ids']).toEqual([open['status-by-tax-id'][mother][dental]['enrollment-id']])
    const [other] = await family()
    const early = await everything(other, { 'end-date': '2026-11-01' })
    expect([early.status, early.body.error]).toEqual([400, 'Invalid exclusion-details'])
    expect((await benefits(other)).every(({ status }) => status === 'active')).toBe(true)
  })

  test('404 and 403: nothing there, nobody there, a company of others before the member', async () => {
    const other = await testApp.company()
    const both = await testApp.partner(company.taxId, other.taxId)
    const stranger = await testApp.partner(other.taxId)
    const [mother] = await family()
    const left = primary()
    await testApp.include(partner, company, [left], approve)
    await complete(await request(await everything(left['tax-id'])))
    const none = 'No active benefits found in member for given company'
    const foreign = 'Not entitled to access this company'
    for (const [response, status, error] of [
      [await everything(left['tax-id']), 404, none],
      [await everything(mother, {}, both, other.taxId), 404, none],
      [await everything(nextCpf()), 404, 'Member not found'],
      [
        await everything(mother, {}, stranger, other.taxId),
        403,
        "You are not authorized to exclude this member's benefits.",
      ],
      [await everything(mother, {}, stranger), 403, foreign],
      [await everything(nextCpf(), {}, stranger), 403, foreign],
      [await everything(mother, {}, partner, '11222333000181'), 403, foreign],
      [await everything(mother, {}, partner, 'x'), 400, 'Invalid company-tax-id'],
      [await everything('1', {}, partner), 400, 'Invalid member-tax-id'],
    ] as const) {
      expect([response.status, response.body.error]).toEqual([status, error])
    }
  })

  test('keeps the reference of the body on the request and its parts, and refuses one that holds a CPF', async () => {
    const [mother] = await family()
    const post = (reference: unknown) =>
      partner.post(`/v1/enrollment/exclusion/${mother}/company/${company.taxId}`, { ...body(), reference })
    for (const wrong of [`RH ${mother}`, 'x'.repeat(101), 7]) {
      const response = await post(wrong)
      expect([response.status, response.body.error, response.body.details[0].field]).toEqual([
        400,
        'Invalid body',
        'reference',
      ])
    }
    const id = expectOk(await post(' desligamento 42 ')).body['request-id']
    const rows = await testApp.sql(
      `select reference from request where id = $1 union all select distinct reference from enrollment where request_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ reference: 'desligamento 42' }, { reference: 'desligamento 42' }])
  })
})

test('what these tests leave breaks no rule of the database', async () => {
  expect(await readViolations(testApp.sql)).toEqual({})
})
