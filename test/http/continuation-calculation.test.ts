import { beforeAll, describe, expect, test } from 'vitest'
import { carrierName, makeContract } from './contract.ts'
import { type ApiResponse, type Client, type Company, expectOk, health, type Json, useTestApp } from './test-app.ts'

const testApp = useTestApp()
let company: Company
let partner: Client

beforeAll(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
})

const leaving = (more: Json = {}): Json => ({
  'exclusion-reason': 'dismissal',
  'contribution-months': 40,
  ...more,
})
const path = '/continuation/calculate'
/** On both APIs, which have the same result. */
async function calculate(more: Json = {}): Promise<ApiResponse> {
  const [own, operators] = [
    await partner.post(`/v1${path}`, leaving(more)),
    await testApp.operator.post(`/operator/v1${path}`, leaving(more)),
  ]
  expect([operators.status, operators.body.result, operators.body.details]).toEqual([
    own.status,
    own.body.result,
    own.body.details,
  ])
  return own
}
const result = async (more: Json = {}): Promise<Json> => expectOk(await calculate(more)).body.result

describe('somebody who leaves', () => {
  test('may keep the plan for a third of the time of contribution, and answers within 30 days of the notice', async () => {
    expect(await result({ 'notice-date': '2026-11-25', 'end-date': '2026-11-30' })).toEqual({
      eligible: true,
      'not-eligible-reason': null,
      ground: 'dismissal',
      months: 14,
      'without-end': false,
      'option-until': '2026-12-25',
      'term-start': '2026-12-01',
      'term-end': '2028-01-31',
      notes: ['third-of-contribution', 'fraction-rounded-up'],
      norms: ['Lei 9.656/1998 art. 30 § 1', 'RN 488 art. 4'],
      'missing-setting': null,
    })
  })

  test.each([
    ['no-contribution', { contributed: false }],
    ['with-cause', { 'exclusion-reason': 'dismissal-with-cause' }],
    ['resignation', { 'exclusion-reason': 'resignation' }],
    ['post-paid-plan', { 'post-paid': true }],
  ])('may not: %s', async (reason, more) => {
    expect(await result(more)).toMatchObject({ eligible: false, 'not-eligible-reason': reason, months: null })
  })

  test('after ten years of contribution retires with the plan, without an end', async () => {
    const retired = { 'exclusion-reason': 'retirement', 'contribution-months': 120 }
    expect(await result(retired)).toMatchObject({ eligible: true, months: null, 'without-end': true })
  })

  test.each([
    ['a body without months', { 'contribution-months': undefined }, 'contribution-months', 'missing'],
    ['more than 720 months', { 'contribution-months': 721 }, 'contribution-months', 'invalid'],
    ['a day far from today', { 'end-date': '9999-12-31' }, 'end-date', 'date-out-of-range'],
    ['a notice far from today', { 'notice-date': '1899-12-31' }, 'notice-date', 'date-out-of-range'],
    [
      'a dismissal after which the person works',
      { 'keeps-working-after-retirement': true },
      'keeps-working-after-retirement',
      'not-applicable',
    ],
    [
      'a product without its company',
      { 'product-id': '01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e' },
      'company-tax-id',
      'missing',
    ],
  ])('is refused with %s', async (_what, more, field, code) => {
    const { status, body } = await calculate(more)
    expect([status, body.details]).toMatchObject([400, [{ field, code }]])
  })
})

describe('the contract of the product', () => {
  const ofProduct = () => ({ 'company-tax-id': company.taxId, 'product-id': company.products[health] })
  const retired = { 'exclusion-reason': 'retirement', 'contribution-months': 119 }

  test('says what becomes of the remainder of a year, and without it nothing is calculated', async () => {
    expect(await result({ ...ofProduct(), ...retired })).toMatchObject({
      eligible: null,
      months: null,
      'missing-setting': 'retirement-remainder',
    })
    const plans = [{ 'product-id': company.products[health] }]
    const contract = await makeContract(testApp, company, { plans, 'retirement-remainder': 'whole-years' })
    expect(contract).toMatchObject({ 'retirement-remainder': 'whole-years', 'post-paid': null })
    expect(await result({ ...ofProduct(), ...retired })).toMatchObject({
      months: 108,
      notes: ['year-for-year', 'whole-years'],
    })
    const url = `/operator/v1/contract/${contract['contract-id']}`
    const body = { 'company-tax-id': company.taxId, 'carrier-name': carrierName, 'contract-number': '900001', plans }
    expectOk(await testApp.operator.put(url, { ...body, 'retirement-remainder': 'proportional', 'post-paid': true }))
    expect(await result({ ...ofProduct(), ...retired, 'post-paid': false })).toMatchObject({ months: 119 })
    expect(await result({ ...ofProduct(), ...retired })).toMatchObject({ 'not-eligible-reason': 'post-paid-plan' })
  })

  test('of an unknown product is refused, and of a company of others as of an unknown one', async () => {
    const unknown = { 'company-tax-id': company.taxId, 'product-id': '01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e' }
    expect((await calculate(unknown)).body.details).toMatchObject([{ field: 'product-id', code: 'unknown' }])
    const other = await testApp.company()
    const bodies = [other.taxId, '11222333000181'].map((taxId) => leaving({ ...unknown, 'company-tax-id': taxId }))
    for (const body of bodies) {
      const { status, body: error } = await partner.post(`/v1${path}`, body)
      expect([status, error.code]).toEqual([403, 'not-entitled'])
    }
    expect((await testApp.operator.post(`/operator/v1${path}`, bodies[1])).body.code).toBe('company-not-found')
  })
})
