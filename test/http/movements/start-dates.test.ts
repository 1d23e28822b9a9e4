import { describe, expect, test } from 'vitest'
import { invariants } from '#coverage/invariants.ts'
import { readViolations } from '../../crash/invariants.ts'
import {
  type ApiResponse,
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
import { dependentOf, holder, memberOf, ndjson, sendImport } from '../../world/import.ts'

/*
 * A dependent's benefit starts with its primary's or later, and a benefit starts after former cover of the same person and product.
 */

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

const approve = '?resolution=approve'
const admitted = '2026-11-02'
const since = inProduct('health-insurance', health, 'on-admission-date')
const today = inProduct('health-insurance', health)
/** The start of `on-next-billing-period`: Monday is past the cut-off day. */
const billed = '2027-01-01'
const nextPeriod = inProduct('health-insurance', health, 'on-next-billing-period')

const mother = (products: Json = since, more: Json = {}) => primary({ 'admission-date': admitted, products, ...more })

/** Includes the members; `query` as `?resolution=approve`. @returns the ids of the movements by CPF, and the warnings. */
async function include(members: readonly Json[], query = '') {
  const body = { 'company-tax-id': company.taxId, members }
  const response = expectOk(await partner.post(`/v1/enrollment/inclusion${query}`, body))
  const request = await testApp.finished(partner, response.body['request-id'])
  const ids: Record<string, string> = Object.fromEntries(
    Object.entries<Json>(request['status-by-tax-id']).map(([cpf, parts]) => [
      cpf,
      Object.values<Json>(parts)[0]?.['enrollment-id'],
    ]),
  )
  return { ids, warnings: response.body.warnings as Json[] | undefined }
}

const exclude = (cpf: string, endDate: string): Promise<ApiResponse> =>
  partner.post(`/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}${approve}`, {
    'exclusion-details': { 'end-date': endDate, 'exclusion-reason': 'resignation' },
  })

const complete = (id: string | undefined, more: Json = {}): Promise<ApiResponse> =>
  testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, { status: 'completed', ...more })

const detail = async (id: string | undefined): Promise<Json> =>
  expectOk(await partner.get(`/v1/enrollment/detail/${id}`)).body.result

/** `[product, status, first day, last day]`, in the order in which they start and end. */
async function covers(cpf: string): Promise<unknown[][]> {
  const benefits: Json[] = (await memberOf(partner, cpf))?.benefits ?? []
  const rows = benefits.map((one) => [one['product-name'], one.status, one['start-date'], one['end-date']])
  return rows.toSorted((a, b) => `${a[2]} ${a[3] ?? 'z'}`.localeCompare(`${b[2]} ${b[3] ?? 'z'}`))
}

async function expectSound(): Promise<void> {
  expect(await readViolations(testApp.sql, null, invariants)).toEqual({})
}

describe('a dependent who is to be covered before the primary starts with the primary', () => {
  test('in one batch, with a warning', async () => {
    const parent = mother(nextPeriod)
    const child = dependent(parent['tax-id'], { products: since })
    const { warnings } = await include([child, parent], approve)
    expect(warnings).toEqual([
      {
        index: 0,
        'tax-id': child['tax-id'],
        warning: 'starts-with-primary',
        field: 'products.health-insurance[0]',
        'start-date': billed,
      },
    ])
    expect(await covers(child['tax-id'])).toEqual([[health, 'active', billed, null]])
    await expectSound()
  })

  test('and waits as the primary does', async () => {
    const parent = mother(since, { 'admission-date': '2026-12-10' })
    const child = dependent(parent['tax-id'])
    const { ids } = await include([parent, child])
    expect(await detail(ids[child['tax-id']])).toMatchObject({
      status: 'scheduled',
      'start-date': '2026-12-10',
      'scheduled-action-date': '2026-12-10',
    })
  })

  test.each([
    ['active', approve],
    ['pending', ''],
  ])('who is %s', async (_, query) => {
    const parent = mother(nextPeriod)
    await include([parent], query)
    const child = dependent(parent['tax-id'], { products: today })
    const { ids, warnings } = await include([child], query)
    expect(warnings).toMatchObject([{ warning: 'starts-with-primary', 'start-date': billed }])
    expect(await detail(ids[child['tax-id']])).toMatchObject({ 'start-date': billed })
  })

  test('whose start the operator sets: in one call, in two, and when the child’s is set too', async () => {
    const parent = mother()
    const children = [
      dependent(parent['tax-id'], { products: since }),
      dependent(parent['tax-id'], { products: since }),
    ]
    const [first, second] = children.map((child) => child['tax-id'] as string) as [string, string]
    const { ids } = await include([parent, ...children])
    const before = (await detail(ids[second]))['last-updated-at']
    const items = [
      { 'enrollment-id': ids[first], status: 'completed' },
      { 'enrollment-id': ids[parent['tax-id']], status: 'completed', 'start-date': '2026-11-20' },
    ]
    const { result } = expectOk(await testApp.operator.post('/operator/v1/enrollment/transition', { items })).body
    expect(result).toMatchObject([
      { status: 'completed', warnings: [{ warning: 'starts-with-primary', 'start-date': '2026-11-20' }] },
      { status: 'completed' },
    ])
    expect(result[1]).not.toHaveProperty('warnings')
    const moved = await detail(ids[second])
    expect(moved).toMatchObject({ status: 'created', 'start-date': '2026-11-20' })
    expect(moved['last-updated-at'] > before).toBe(true)
    const completed = expectOk(await complete(ids[second], { 'start-date': admitted })).body
    expect(completed).toMatchObject({
      result: { status: 'completed', 'start-date': '2026-11-20' },
      warnings: [{ warning: 'starts-with-primary', 'start-date': '2026-11-20' }],
    })
    expect(await covers(first)).toEqual([[health, 'active', '2026-11-20', null]])
    await expectSound()
  })

  test('whose start an answer corrects', async () => {
    const parent = mother(since, { 'admission-date': '2026-12-10' })
    const child = dependent(parent['tax-id'])
    const { ids } = await include([parent, child])
    const id = ids[parent['tax-id']]
    for (const status of ['created', 'pending-correction']) {
      const move = { status, reason: 'Confirmar a data' }
      expectOk(await testApp.operator.post(`/operator/v1/enrollment/${id}/transition`, move))
    }
    expectOk(await partner.post(`/v1/enrollment/${id}/answer`, { data: { 'admission-date': '2026-12-15' } }))
    expect(await detail(ids[child['tax-id']])).toMatchObject({ 'start-date': '2026-12-15' })
  })

  test('that comes back: the child is not covered in the gap', async () => {
    const parent = mother()
    const child = dependent(parent['tax-id'], { products: since })
    await include([parent, child], approve)
    expectOk(await exclude(parent['tax-id'], '2026-11-20'))
    const again = [
      { ...parent, products: nextPeriod },
      { ...child, products: since },
    ]
    await include(again, approve)
    expect(await covers(child['tax-id'])).toEqual([
      [health, 'inactive', admitted, '2026-11-20'],
      [health, 'active', billed, null],
    ])
    await expectSound()
  })
})

describe('a benefit that is to start within former cover starts on the day after it', () => {
  async function left(endDate: string) {
    const person = mother()
    await include([person], approve)
    expectOk(await exclude(person['tax-id'], endDate))
    return person
  }

  test('with a warning', async () => {
    const person = await left('2026-11-15')
    const { warnings } = await include([person], approve)
    expect(warnings).toMatchObject([{ warning: 'starts-after-former-cover', 'start-date': '2026-11-16' }])
    expect(await covers(person['tax-id'])).toEqual([
      [health, 'inactive', admitted, '2026-11-15'],
      [health, 'active', '2026-11-16', null],
    ])
    await expectSound()
  })

  test('tomorrow, when the former one ends today', async () => {
    const person = await left(monday)
    await include([{ ...person, products: today }], approve)
    expect((await covers(person['tax-id'])).at(-1)).toEqual([health, 'active', '2026-11-24', null])
    await expectSound()
  })

  test('also when the operator sets an earlier start', async () => {
    const person = await left('2026-11-15')
    const { ids } = await include([{ ...person, products: today }])
    const { body } = expectOk(await complete(ids[person['tax-id']], { 'start-date': '2026-11-01' }))
    expect(body.warnings).toEqual([{ warning: 'starts-after-former-cover', 'start-date': '2026-11-16' }])
    expect(body.result['start-date']).toBe('2026-11-16')
    await expectSound()
  })

  test('but not for a void one', async () => {
    const person = mother()
    await include([person], approve)
    const change = {
      'company-tax-id': company.taxId,
      'alteration-data': { 'new-product-id': company.products[premium], 'requested-start-date': admitted },
    }
    expectOk(await partner.post(`/v1/enrollment/alteration/${person['tax-id']}${approve}`, change))
    const { warnings } = await include([person], approve)
    expect(warnings?.map(({ warning }) => warning)).toEqual(['same-product-type'])
    expect(await covers(person['tax-id'])).toContainEqual([health, 'active', admitted, null])
    await expectSound()
  })

  test('also the new benefit of a plan change, with the dependents', async () => {
    const parent = mother()
    const child = dependent(parent['tax-id'], { products: since })
    await include([parent, child], approve)
    expectOk(await exclude(parent['tax-id'], '2026-11-20'))
    const inPremium = inProduct('health-insurance', premium)
    const both: Json[] = [
      { ...parent, products: inPremium },
      { ...child, products: inPremium },
    ]
    const { ids } = await include(both)
    for (const one of both) expectOk(await complete(ids[one['tax-id']], { 'start-date': '2026-11-05' }))
    const change = {
      'company-tax-id': company.taxId,
      'alteration-data': { 'new-product-id': company.products[health], 'requested-start-date': '2026-11-10' },
    }
    expectOk(await partner.post(`/v1/enrollment/alteration/${parent['tax-id']}${approve}`, change))
    for (const { 'tax-id': cpf } of both) {
      expect(await covers(cpf)).toEqual([
        [health, 'inactive', admitted, '2026-11-20'],
        [premium, 'inactive', '2026-11-05', '2026-11-20'],
        [health, 'active', '2026-11-21', null],
      ])
    }
    await expectSound()
  })
})

describe('an import', () => {
  const imported = async (lines: readonly Json[], query = ''): Promise<Json> =>
    expectOk(await sendImport(testApp.operator, ndjson(lines), { query })).body

  test('starts a dependent with the primary, with a warning, and changes nothing the second time', async () => {
    const parent = holder(company, { 'start-date': '2026-03-01' })
    const child = dependentOf(company, parent['tax-id'], { 'start-date': '2026-01-05' })
    const warnings = [{ warning: 'starts-with-primary', field: 'start-date', line: 2, 'start-date': '2026-03-01' }]
    expect(await imported([parent, child], '?dry-run=true')).toMatchObject({ accepted: 2, warnings })
    expect(await imported([parent, child])).toMatchObject({ accepted: 2, warnings })
    const first = await memberOf(partner, child['tax-id'])
    expect(await imported([parent, child])).toMatchObject({ accepted: 2, warnings })
    expect(await memberOf(partner, child['tax-id'])).toEqual(first)
    expect(await covers(child['tax-id'])).toEqual([[health, 'active', '2026-03-01', null]])
    await expectSound()
  })

  test('cannot revive the benefit that a plan change replaced', async () => {
    const line = holder(company, { 'start-date': '2026-03-01' })
    await imported([line])
    const change = {
      'company-tax-id': company.taxId,
      'alteration-data': { 'new-product-id': company.products[premium], 'requested-start-date': '2026-11-10' },
    }
    expectOk(await partner.post(`/v1/enrollment/alteration/${line['tax-id']}${approve}`, change))
    const errors = [{ line: 2, offenses: ['replaced-benefit'] }]
    const withCard = { ...line, 'end-date': '2026-11-09', 'card-number': '7' }
    expect(await imported([withCard, line], '?dry-run=true')).toMatchObject({ accepted: 1, errors })
    expect(await imported([withCard, line])).toMatchObject({ accepted: 1, errors })
    expect(await covers(line['tax-id'])).toEqual([
      [health, 'inactive', '2026-03-01', '2026-11-09'],
      [premium, 'active', '2026-11-10', null],
    ])
    await expectSound()
  })
})

test('a dependent’s benefit that a later change leaves without a day, and that nothing replaces, is inactive at once', async () => {
  const [parent, other] = [mother(), mother(inProduct('health-insurance', premium))]
  const cpf = nextCpf()
  const child = { 'tax-id': cpf, name: 'Davi Torres' }
  await include([parent, other], approve)
  await include([dependent(other['tax-id'], { ...child, products: inProduct('health-insurance', premium) })], approve)
  await include([dependent(parent['tax-id'], { ...child, products: nextPeriod })], approve)
  const change = {
    'company-tax-id': company.taxId,
    'alteration-data': { 'new-product-id': company.products[premium], 'requested-start-date': '2026-12-10' },
  }
  expectOk(await partner.post(`/v1/enrollment/alteration/${parent['tax-id']}${approve}`, change))
  expect(await covers(cpf)).toEqual([
    [premium, 'active', monday, null],
    [health, 'inactive', billed, '2026-12-31'],
  ])
  await expectSound()
})

test('the warnings of an inclusion come in Portuguese too', async () => {
  const parent = primary({ 'admission-date': '2028-01-01' })
  const body = { 'company-tax-id': company.taxId, members: [parent] }
  const path = '/v1/enrollment/inclusion?dry-run=true'
  expect((await partner.post(path, body)).body.warnings).toEqual([
    { index: 0, 'tax-id': parent['tax-id'], warning: 'admission-date-far', field: 'admission-date' },
  ])
  const response = await partner.post(path, body, { 'accept-language': 'pt-BR' })
  expect(response.headers.get('content-language')).toBe('pt-BR')
  expect(response.body.warnings[0].message).toBe('A admissão está a mais de um ano de hoje.')
})

test('a second plan of one type, a second spouse and a child older than the primary are warnings, nobody is rejected', async () => {
  const parent = mother()
  const of = (type: string, date: string) =>
    dependent(parent['tax-id'], { 'dependent-type': type, 'date-of-birth': date, products: since })
  await include([parent, of('spouse', '1991-01-01')], approve)
  const second = { ...parent, products: inProduct('health-insurance', premium) }
  const { warnings } = await include([second, of('partner', '1992-01-01'), of('child', '1990-05-17')])
  expect(warnings?.map(({ index, warning, field }) => [index, warning, field])).toEqual([
    [0, 'same-product-type', 'products.health-insurance[0]'],
    [1, 'two-spouses', 'products.health-insurance[0]'],
    [2, 'child-older-than-primary', 'date-of-birth'],
  ])
})
