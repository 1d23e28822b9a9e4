import { describe, expect, test } from 'vitest'
import { randomUUID } from 'node:crypto'
import { closeMonth, insertCarrierFile } from '../../world/carrier-file-rows.ts'
import { carrierName, makeContract } from '../../world/contract.ts'
import { insertPriced, pricedContract } from '../../world/price.ts'
import { insertBenefit, insertMember } from '../../world/roster.ts'
import { type ApiResponse, expectOk, health, type Json, nextCpf, useTestApp, useCompany } from '../../world/test-app.ts'

const testApp = useTestApp()
const { company, partner } = useCompany(testApp)

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
      'contribution-months': 40,
      months: 14,
      'without-end': false,
      'option-until': '2026-12-28',
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
    ['mutual-agreement', { 'exclusion-reason': 'mutual-agreement' }],
    ['post-paid-plan', { 'post-paid': true }],
  ])('may not: %s', async (reason, more) => {
    expect(await result(more)).toMatchObject({ eligible: false, 'not-eligible-reason': reason, months: null })
  })

  test.each(['dismissal', 'dismissal-with-cause', 'resignation', 'mutual-agreement'])(
    'who had retired and worked on keeps it as the retired do, after %s',
    async (reason) => {
      const retired = { 'exclusion-reason': reason, 'keeps-working-after-retirement': true, 'contribution-months': 120 }
      expect(await result(retired)).toMatchObject({ eligible: true, ground: 'retirement', 'without-end': true })
    },
  )

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

describe('the months of contribution that are known', () => {
  const known = async (benefitId: string, more: Json = {}): Promise<ApiResponse> =>
    testApp.operator.post(`/operator/v1${path}`, { 'exclusion-reason': 'dismissal', 'benefit-id': benefitId, ...more })

  test('count for a benefit, unless a person sends others', async () => {
    const own = await testApp.company()
    const { 'contract-id': contractId } = await pricedContract(testApp, own)
    const { memberId, benefitId } = await insertPriced(testApp, own, {
      born: '1990-01-01',
      benefit: { start_date: '2026-02-10' },
    })
    const childId = await insertMember(testApp, own, { cpf: nextCpf() })
    const child = await insertBenefit(testApp, own, childId, {
      type: 'dependent',
      primary_member_id: memberId,
      dependent_type: 'child',
    })
    const leavingDate = { 'end-date': '2026-10-31' }
    const noContribution = { 'contribution-months': 0, eligible: false, 'not-eligible-reason': 'no-contribution' }
    await insertCarrierFile(testApp, own, contractId, {
      month: '2026-02',
      lines: [
        { amount: 9_000, employeeAmount: 9_000, benefitId, entryType: 'coparticipation' },
        { amount: 9_000, employeeAmount: 9_000, benefitId: child },
      ],
    })
    expect(expectOk(await known(benefitId, leavingDate)).body.result).toMatchObject(noContribution)
    await insertCarrierFile(testApp, own, contractId, {
      month: '2026-02',
      lines: [{ amount: 25_000, employeeAmount: 5_000, benefitId }],
    })
    expect(expectOk(await known(benefitId, leavingDate)).body.result).toMatchObject({
      'contribution-months': 1,
      months: 6,
    })
    const rule = {
      'contract-id': contractId,
      'valid-from': '2026-05-01',
      'primary-employee-share': { 'basis-points': 1_000 },
      'dependent-employee-share': { 'basis-points': 0 },
    }
    expectOk(await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, rule))
    // February by the invoice, May to October by the rule.
    const { result: byRule } = expectOk(await known(benefitId, leavingDate)).body
    expect(byRule).toMatchObject({ 'contribution-months': 7, eligible: true })
    const { result: sent } = expectOk(await known(benefitId, { ...leavingDate, 'contribution-months': 40 })).body
    expect(sent).toMatchObject({ 'contribution-months': 40, months: 14 })
    await closeMonth(testApp, own, '2026-02')
    await testApp.sql(`update carrier_line set employee_amount = 0 where company_id = $1`, [own.id])
    expect(expectOk(await known(benefitId, leavingDate)).body.result).toEqual(byRule)
    for (const id of [child, '01995e0b-5a31-7c44-9d0e-7f8a9b0c1d2e']) {
      const unknown = await known(id)
      expect([unknown.status, unknown.body.code]).toEqual([404, 'benefit-not-found'])
    }
    const created = { 'benefit-id': benefitId, ground: 'dismissal', 'leaving-date': '2026-10-31' }
    const { body } = expectOk(await testApp.operator.post('/operator/v1/continuation', created))
    expect(body.result).toMatchObject({ 'contribution-months': 7, months: 6 })
  })

  test('are needed: a primary who paid nothing keeps nothing', async () => {
    const own = await testApp.company()
    const { benefitId } = await insertPriced(testApp, own, { born: '1990-01-01' })
    const body = { 'benefit-id': benefitId, ground: 'dismissal', 'leaving-date': '2026-10-31' }
    const refused = await testApp.operator.post('/operator/v1/continuation', body)
    expect([refused.status, refused.body['not-eligible-reason']]).toEqual([409, 'no-contribution'])
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
