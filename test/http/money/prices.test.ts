import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bands, pricesOf } from '../../data/prices.ts'
import { closeMonth } from '../../world/carrier-file-rows.ts'
import { makeContract } from '../../world/contract.ts'
import { insertPriced, planCode, pricedContract, putBands } from '../../world/price.ts'
import { expectOk, health, type Json, premium, useTestApp } from '../../world/test-app.ts'

const testApp = useTestApp()

const path = '/operator/v1/price-table'
const unknown = '01995e0c-6f3a-7c52-9d0e-3b1f6a7c9d21'
const detailsOf = ({ body }: { readonly body: Json }) => body.details.map(({ field, code }: Json) => [field, code])
const idOf = (contract: Json): string => contract['contract-id']

describe('a price table', () => {
  test('is what was sent, in the order of its bands, and is listed by contract', async () => {
    const contract = await pricedContract(testApp, await testApp.company())
    const id = randomUUID()
    const body = {
      'contract-id': idOf(contract),
      'carrier-plan-code': planCode,
      'valid-from': '2026-03-01',
      kind: 'age-band-10',
      prices: bands.toReversed(),
    }
    const made = expectOk(await testApp.operator.put(`${path}/${id}`, body)).body.result
    expect(made).toMatchObject({ ...body, prices: bands, 'price-table-id': id, 'price-warnings': [] })
    const last = bands.map((price) => (price.category === '59+' ? { ...price, amount: 255_000 } : price))
    const later = { ...body, 'valid-from': '2027-03-01', prices: last }
    const other = expectOk(await testApp.operator.put(`${path}/${randomUUID()}`, later)).body.result
    expect(other['price-warnings']).toEqual(['band-above-six-times', 'band-variation'])
    const mistyped = { ...body, 'carrier-plan-code': 'AE123O', 'valid-from': '2028-03-01' }
    const unknownId = randomUUID()
    const unknown = expectOk(await testApp.operator.put(`${path}/${unknownId}`, mistyped)).body.result
    expect(unknown['price-warnings']).toEqual(['plan-code-unknown'])
    expectOk(await testApp.operator.delete(`${path}/${unknownId}`))
    const analyst = await testApp.operatorOf('analyst')
    const list = expectOk(await analyst.get(`${path}?contract-id=${idOf(contract)}`)).body
    expect(list.result).toEqual([other, made])
    expect(list.pagination['total-items']).toBe(2)
    expect(expectOk(await analyst.get(`${path}/${id.toUpperCase()}`)).body.result).toEqual(made)
    const finance = await testApp.operatorOf('finance')
    expect((await finance.delete(`${path}/${id}`)).status).toBe(204)
    expect((await finance.delete(`${path}/${id}`)).body.code).toBe('price-table-not-found')
    expect((await finance.get(`${path}/${id}`)).body.code).toBe('price-table-not-found')
  })

  test('is written by finance, and read by everybody', async () => {
    const contract = await pricedContract(testApp, await testApp.company())
    const body = { 'contract-id': idOf(contract), 'valid-from': '2026-01-01', kind: 'age-band-10', prices: bands }
    const statuses = await Promise.all(
      ['finance', 'analyst', 'auditor'].map(async (role) => {
        const operator = await testApp.operatorOf(role)
        const put = await operator.put(`${path}/${randomUUID()}`, body)
        return [put.status, (await operator.get(path)).status]
      }),
    )
    expect(statuses).toEqual([
      [200, 200],
      [403, 200],
      [403, 200],
    ])
  })

  test('has each category once, one day of a plan, and one contract', async () => {
    const company = await testApp.company()
    const contract = await pricedContract(testApp, company)
    const made = await putBands(testApp, idOf(contract))
    const url = `${path}/${randomUUID()}`
    const body = {
      'contract-id': idOf(contract),
      'valid-from': '2026-02-01',
      kind: 'per-role',
      prices: bands.slice(0, 1),
    }
    const wrong = await testApp.operator.put(url, body)
    expect(detailsOf(wrong)).toEqual([
      ['prices[0].category', 'not-applicable'],
      ['prices', 'missing'],
    ])
    const same = { ...body, 'valid-from': '2026-01-01', prices: pricesOf('per-role', [1, 2]) }
    expect(detailsOf(await testApp.operator.put(url, same))).toEqual([['valid-from', 'repeated']])
    expect((await testApp.operator.put(url, { ...same, 'contract-id': unknown })).body.code).toBe('contract-not-found')
    const another = await makeContract(testApp, company, { 'contract-number': '900002' })
    const moved = { ...same, 'contract-id': idOf(another) }
    expect(detailsOf(await testApp.operator.put(`${path}/${made['price-table-id']}`, moved))).toEqual([
      ['contract-id', 'invalid'],
    ])
  })

  test('is adjusted by a factor into a table of its own', async () => {
    const contract = await pricedContract(testApp, await testApp.company())
    const { 'price-table-id': id } = await putBands(testApp, idOf(contract))
    const adjustment = { 'valid-from': '2027-01-01', 'basis-points': 1523 }
    const adjusted = expectOk(await testApp.operator.post(`${path}/${id}/adjust`, adjustment)).body.result
    expect(adjusted).toMatchObject({ 'contract-id': idOf(contract), 'valid-from': '2027-01-01' })
    expect(adjusted.prices[0]).toEqual({ category: '0-18', amount: 47_515 })
    const again = await testApp.operator.post(`${path}/${id}/adjust`, adjustment)
    expect(detailsOf(again)).toEqual([['valid-from', 'repeated']])
    const before = { ...adjustment, 'valid-from': '2026-01-01' }
    expect(detailsOf(await testApp.operator.post(`${path}/${id}/adjust`, before))).toEqual([['valid-from', 'invalid']])
    const absent = await testApp.operator.post(`${path}/${unknown}/adjust`, before)
    expect(absent.body.code).toBe('price-table-not-found')
  })

  test('that a closed month follows from stays as it is', async () => {
    const company = await testApp.company()
    const contract = await pricedContract(testApp, company)
    const used = await putBands(testApp, idOf(contract), { 'valid-from': '2026-10-02' })
    const next = await putBands(testApp, idOf(contract), { 'valid-from': '2026-11-02' })
    await closeMonth(testApp, company, '2026-11')
    const refused = await testApp.operator.delete(`${path}/${used['price-table-id']}`)
    expect([refused.status, refused.body.code, refused.body['reference-month']]).toEqual([
      409,
      'month-closed',
      '2026-11',
    ])
    const body = { 'contract-id': idOf(contract), 'valid-from': '2026-12-01', kind: 'age-band-10', prices: bands }
    expect((await testApp.operator.put(`${path}/${used['price-table-id']}`, body)).body.code).toBe('month-closed')
    const earlier = { ...body, 'valid-from': '2026-11-01' }
    expect((await testApp.operator.put(`${path}/${randomUUID()}`, earlier)).body.code).toBe('month-closed')
    expect((await testApp.operator.delete(`${path}/${next['price-table-id']}`)).status).toBe(204)
    expect((await testApp.operator.put(`${path}/${randomUUID()}`, body)).status).toBe(200)
  })
})

describe('the settings of a contract', () => {
  test('have a day with the proration that needs one, and only with it', async () => {
    const company = await testApp.company()
    const make = (more: Json) =>
      testApp.operator.post('/operator/v1/contract', {
        'company-tax-id': company.taxId,
        'carrier-name': 'Operadora Aurora',
        'contract-number': '900009',
        ...more,
      })
    expect(detailsOf(await make({ proration: 'full-if-started-until-day' }))).toEqual([['proration-day', 'missing']])
    expect(detailsOf(await make({ proration: 'none', 'proration-day': 3 }))).toEqual([
      ['proration-day', 'not-applicable'],
    ])
    const set = {
      proration: 'full-if-started-until-day',
      'proration-day': 15,
      tolerance: 10,
      'age-on': 'birthday-month',
    }
    expect(expectOk(await make(set)).body.result).toMatchObject(set)
  })
})

describe('a contribution rule', () => {
  const url = '/operator/v1/contribution-rule'
  const shares = { 'primary-employee-share': { 'basis-points': 2000 }, 'dependent-employee-share': { amount: 5000 } }

  test('is what was sent, until it is replaced or deleted', async () => {
    const company = await testApp.company()
    const contract = await pricedContract(testApp, company)
    const id = randomUUID()
    const body = {
      'contract-id': idOf(contract),
      'product-id': company.products[health],
      'valid-from': '2026-01-01',
      ...shares,
      'coparticipation-employee-share': { 'basis-points': 10_000 },
      'cost-centers': ['CC-1', 'CC-2'],
      'job-titles': ['Diretora'],
    }
    const finance = await testApp.operatorOf('finance')
    const made = expectOk(await finance.put(`${url}/${id}`, body)).body.result
    expect(made).toMatchObject({ ...body, 'contribution-rule-id': id })
    const bare = { 'contract-id': idOf(contract), 'valid-from': '2026-02-01', ...shares }
    const replaced = expectOk(await finance.put(`${url}/${id}`, bare)).body.result
    expect(replaced).toMatchObject({ 'product-id': null, 'cost-centers': [], 'coparticipation-employee-share': null })
    expect(expectOk(await finance.get(`${url}?contract-id=${idOf(contract)}`)).body.result).toEqual([replaced])
    expect(expectOk(await finance.get(`${url}/${id}`)).body.result).toEqual(replaced)
    expect((await finance.delete(`${url}/${id}`)).status).toBe(204)
    for (const gone of [await finance.get(`${url}/${id}`), await finance.delete(`${url}/${id}`)]) {
      expect(gone.body.code).toBe('contribution-rule-not-found')
    }
  })

  test('is of a product of its contract, and of a month that is not closed', async () => {
    const company = await testApp.company()
    const contract = await pricedContract(testApp, company)
    const body = { 'contract-id': idOf(contract), 'valid-from': '2026-11-01', ...shares }
    const other = { ...body, 'product-id': company.products[premium] }
    expect(detailsOf(await testApp.operator.put(`${url}/${randomUUID()}`, other))).toEqual([['product-id', 'unknown']])
    const absent = await testApp.operator.put(`${url}/${randomUUID()}`, { ...body, 'contract-id': unknown })
    expect(absent.body.code).toBe('contract-not-found')
    const id = randomUUID()
    expectOk(await testApp.operator.put(`${url}/${id}`, body))
    const second = await makeContract(testApp, company, { 'contract-number': '900002' })
    const moved = await testApp.operator.put(`${url}/${id}`, { ...body, 'contract-id': idOf(second) })
    expect(detailsOf(moved)).toEqual([['contract-id', 'invalid']])
    await closeMonth(testApp, company, '2026-11')
    expect((await testApp.operator.delete(`${url}/${id}`)).body.code).toBe('month-closed')
    expect((await testApp.operator.put(`${url}/${id}`, body)).body.code).toBe('month-closed')
  })
})

describe('the expected invoice', () => {
  const expected = async (contractId: string, month: string) =>
    testApp.operator.get(`/operator/v1/contract/${contractId}/expected-invoice?reference-month=${month}`)

  test('has those who are covered in the month, and says how each amount comes about', async () => {
    const company = await testApp.company()
    const contract = await pricedContract(testApp, company, { proration: 'daily-30' })
    const table = await putBands(testApp, idOf(contract))
    const share = { 'primary-employee-share': { 'basis-points': 2000 }, 'dependent-employee-share': { amount: 5000 } }
    const rule = { 'contract-id': idOf(contract), 'valid-from': '2026-01-01', ...share, 'cost-centers': ['CC-1'] }
    const ruleId = randomUUID()
    expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${ruleId}`, rule))
    const lead = { born: '1987-11-18', name: 'Helena Prado', costCenter: 'CC-1', employeeId: '7' }
    const first = await insertPriced(testApp, company, lead)
    const child = await insertPriced(testApp, company, {
      born: '2015-05-05',
      benefit: {
        type: 'dependent',
        dependent_type: 'child',
        primary_member_id: first.memberId,
        start_date: '2026-11-16',
      },
    })
    const gone = { status: 'inactive', start_date: '2026-01-01' }
    await insertPriced(testApp, company, { born: '1990-01-01', benefit: { ...gone, end_date: '2026-10-31' } })
    await insertPriced(testApp, company, { born: '1990-01-01', benefit: { start_date: '2026-12-01' } })
    await insertPriced(testApp, company, { born: '1990-01-01', benefit: { status: 'pending' } })
    const left = await insertPriced(testApp, company, {
      born: '1960-01-01',
      benefit: { ...gone, end_date: '2026-11-10' },
    })
    const { result } = expectOk(await expected(idOf(contract), '2026-11')).body
    expect(result).toMatchObject({
      'contract-id': idOf(contract),
      'company-tax-id': company.taxId,
      'reference-month': '2026-11',
      total: 74_163 + 20_618 + 81_792,
      'employee-total': 14_833 + 5000,
      'lines-without-price': 0,
    })
    expect(result.lines.map((line: Json) => line['benefit-id'])).toEqual([
      first.benefitId,
      child.benefitId,
      left.benefitId,
    ])
    expect(result.lines[0]).toEqual({
      'benefit-id': first.benefitId,
      'member-id': first.memberId,
      'member-name': 'Helena Prado',
      'beneficiary-type': 'primary',
      'employee-id': '7',
      'cost-center': 'CC-1',
      'product-id': company.products[health],
      'carrier-plan-code': planCode,
      'start-date': '2020-01-01',
      'end-date': null,
      'price-table-id': table['price-table-id'],
      category: '34-38',
      age: 38,
      price: 74_163,
      'covered-days': 30,
      amount: 74_163,
      'contribution-rule-id': ruleId,
      'employee-amount': 14_833,
    })
    expect(result.lines[1]).toMatchObject({
      'covered-days': 15,
      amount: 20_618,
      'employee-amount': 5000,
      'cost-center': 'CC-1',
    })
    expect(result.lines[2]).toMatchObject({ 'covered-days': 10, amount: 81_792, 'employee-amount': null })
    const head = await testApp.call(
      'HEAD',
      `/operator/v1/contract/${idOf(contract)}/expected-invoice?reference-month=2026-11`,
      {
        token: testApp.operator.token,
      },
    )
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('names the settings that are missing, and calculates nothing', async () => {
    const company = await testApp.company()
    const contract = await pricedContract(testApp, company, { 'age-on': null, proration: null })
    await insertPriced(testApp, company, { born: '1990-01-01' })
    const plain = await expected(idOf(contract), '2026-11')
    expect([plain.status, plain.body.code, plain.body['missing-settings']]).toEqual([
      409,
      'price-setting-missing',
      ['proration'],
    ])
    await putBands(testApp, idOf(contract))
    const byAge = await expected(idOf(contract), '2026-11')
    expect(byAge.body['missing-settings']).toEqual(['age-on', 'proration'])
    expect((await expected(unknown, '2026-11')).body.code).toBe('contract-not-found')
  })

  test('has no amount for a plan without a price table', async () => {
    const company = await testApp.company()
    const contract = await pricedContract(testApp, company)
    await putBands(testApp, idOf(contract), { 'carrier-plan-code': 'OTHER' })
    await insertPriced(testApp, company, { born: '1990-01-01' })
    const { result } = expectOk(await expected(idOf(contract), '2026-11')).body
    expect(result).toMatchObject({ total: 0, 'lines-without-price': 1 })
    expect(result.lines[0]).toMatchObject({ amount: null, 'price-table-id': null })
  })
})
