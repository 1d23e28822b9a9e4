import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { pricesOf } from '../../data/prices.ts'
import { insertCarrierFile } from '../../world/carrier-file-rows.ts'
import { calendar } from '../../world/contract.ts'
import { payrollProfile } from '../../world/payroll.ts'
import { insertPriced, planCode, pricedContract } from '../../world/price.ts'
import { type Client, type Company, expectOk, health, type Json, useTestApp } from '../../world/test-app.ts'

/* Rogério and Marta of the Cerâmica Vale Claro: 30 % and 60 % of 616.97; he leaves on the 17th, after the export of the month. */
const testApp = useTestApp()
const amounts = [23_980, 28_776, 35_107, 40_758, 43_705, 49_977, 61_697, 70_335, 91_082, 142_999]
const month = '2026-11'
const profile = { ...payrollProfile, basis: 'effective-date', 'first-month': month, 'payroll-day': 15 }

let company: Company
let partner: Client
let contractId: string
let rogerio: { memberId: string; benefitId: string }
let nair: { memberId: string; benefitId: string }

beforeEach(async () => {
  company = await testApp.company()
  partner = await testApp.partner(company.taxId)
  ;({ 'contract-id': contractId } = await pricedContract(testApp, company, {
    proration: 'daily-30',
    calendar: calendar(18),
    'coparticipation-delay-months': 2,
  }))
  const valid = { 'contract-id': contractId, 'valid-from': '2026-02-01' }
  expectOk(
    await testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, {
      ...valid,
      kind: 'age-band-10',
      'carrier-plan-code': planCode,
      prices: pricesOf('age-band-10', amounts),
    }),
  )
  expectOk(
    await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, {
      ...valid,
      'primary-employee-share': { 'basis-points': 3_000 },
      'dependent-employee-share': { 'basis-points': 6_000 },
      'coparticipation-employee-share': { 'basis-points': 10_000 },
    }),
  )
  rogerio = await insertPriced(testApp, company, {
    name: 'Rogério Saldanha Pinto',
    born: '1979-06-17',
    employeeId: '30011',
  })
  await insertPriced(testApp, company, {
    name: 'Marta Pinto Saldanha',
    born: '1981-01-05',
    benefit: { type: 'dependent', dependent_type: 'spouse', primary_member_id: rogerio.memberId },
  })
  nair = await insertPriced(testApp, company, { name: 'Nair Toledo Guerra', born: '1990-02-11', employeeId: '30012' })
})

const putProfile = async (more: Json = {}) =>
  expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, { ...profile, ...more }))
const exportOf = (more: Json = {}) =>
  testApp.operator.post('/operator/v1/payroll-export', {
    'company-tax-id': company.taxId,
    'reference-month': month,
    ...more,
  })
const dismissed = async () => {
  const [row] = await testApp.sql('select tax_id from member where id = $1', [rogerio.memberId])
  const path = `/v1/enrollment/exclusion/${row?.['tax_id']}/product/${company.products[health]}?resolution=approve`
  const details = { 'end-date': '2026-11-17', 'exclusion-reason': 'dismissal' }
  const { body } = expectOk(await partner.post(path, { 'exclusion-details': details }))
  await testApp.finished(partner, body['request-id'])
}
const used = (cents: number, of = month) =>
  insertCarrierFile(testApp, company, contractId, {
    month: of,
    kind: 'coparticipation',
    lines: [{ amount: cents, benefitId: rogerio.benefitId }],
  })
const balance = async (query = ''): Promise<Json> =>
  expectOk(await testApp.operator.get(`/operator/v1/member/${rogerio.memberId}/final-balance${query}`)).body.result
const leavers = (more: Json = {}) => ({ kind: 'leavers', leavers: [{ 'member-id': rogerio.memberId, ...more }] })

describe('an employee who leaves', () => {
  test('owes what is left with the end assumed, before the exclusion and after it', async () => {
    await putProfile()
    expect(expectOk(await exportOf()).body.result.amount).toBe(18_509 + 37_018 + 13_112)
    expect(
      (await testApp.operator.get(`/operator/v1/member/${rogerio.memberId}/final-balance`)).body.details,
    ).toMatchObject([{ field: 'end-date', code: 'missing' }])
    const before = await balance('?end-date=2026-11-17')
    expect(before).toMatchObject({
      balance: -8_020 - 16_041,
      limit: null,
      fits: -24_061,
      rest: 0,
      'later-until': '2027-01',
    })
    await dismissed()
    await used(290_575)
    const after = await balance()
    expect(after).toMatchObject({ 'end-date': '2026-11-17', balance: 266_514, fits: 266_514, rest: 0 })
    expect(after['months']).toMatchObject([
      { kind: 'primary', 'origin-month': month, amount: 10_489, exported: 18_509, open: -8_020 },
      { kind: 'dependent', 'origin-month': month, amount: 20_977, exported: 37_018, open: -16_041 },
      { kind: 'coparticipation', amount: 290_575, exported: 0, open: 290_575 },
    ])
    expect(after['sentence']).toContain('no limit')
    const root = `/v1/company/${company.taxId}/member/${rogerio.memberId}/final-balance`
    expect(expectOk(await partner.get(root)).body.result['balance']).toBe(266_514)
    const stranger = await testApp.partner((await testApp.company()).taxId)
    expect((await stranger.get(root)).body.code).toBe('not-entitled')
  })

  test('is deducted at most one remuneration where the profile says so; the rest and what comes later is billed', async () => {
    await putProfile({ 'final-limit': 'remuneration' })
    expectOk(await exportOf())
    await dismissed()
    await used(290_575)
    const compensation = { remuneration: 248_000, 'other-compensation': 30_000 }
    expect(await balance('?remuneration=248000&other-compensation=30000')).toMatchObject({
      limit: 218_000,
      fits: 218_000,
      rest: 48_514,
    })
    const made = expectOk(await exportOf(leavers(compensation))).body.result
    expect(made).toMatchObject({ kind: 'leavers', amount: 218_000, 'bill-amount': 48_514 })
    const file = (query: string) =>
      testApp.operator.get(`/operator/v1/payroll-export/${made['payroll-export-id']}/file${query}`)
    expect(expectOk(await file('')).text).toContain('"2420,61"')
    expect(expectOk(await file('?destination=bill')).text).toContain('"485,14"')
    expect((await exportOf(leavers(compensation))).body.code).toBe('nothing-to-export')
    await used(302_575)
    const later = expectOk(await exportOf({ skip: [] })).body.result
    expect([later.amount, later['bill-amount']]).toEqual([0, 12_000])
    expect((await exportOf(leavers(compensation))).body.code).toBe('nothing-to-export')
    const list = expectOk(
      await testApp.operator.get(`/operator/v1/company/${company.taxId}/deduction?reference-month=${month}`),
    ).body.result
    expect(list.filter(({ name }: Json) => name === 'Rogério Saldanha Pinto')).toMatchObject([
      { kind: 'primary', status: 'final', destination: 'bill' },
      { kind: 'dependent', status: 'final', destination: 'bill' },
      { kind: 'coparticipation', amount: 302_575, open: 0, status: 'final', destination: 'bill' },
    ])
  })

  test('needs an exclusion that ends the employment, and a payroll by effective date', async () => {
    await putProfile()
    const refused = await exportOf(leavers())
    expect([refused.status, refused.body.code, refused.body['member-ids']]).toEqual([
      400,
      'not-a-leaver',
      [rogerio.memberId],
    ])
    expect((await exportOf({ kind: 'leavers' })).body.details).toMatchObject([{ field: 'leavers', code: 'missing' }])
    expect((await exportOf({ leavers: leavers().leavers })).body.details).toMatchObject([
      { field: 'leavers', code: 'not-applicable' },
    ])
    await putProfile({ basis: 'closed-month', 'first-month': null })
    expect((await exportOf(leavers())).body.code).toBe('payroll-by-closed-month')
  })

  test('whose remuneration is not known is not exported under a limit', async () => {
    await putProfile({ 'final-limit': 'remuneration' })
    expectOk(await exportOf())
    await dismissed()
    expect((await balance())['sentence']).toContain('not known')
    expect((await exportOf(leavers())).body).toMatchObject({ code: 'payroll-incomplete', employees: 1 })
    await testApp.sql('update member set salary = 500000 where id = $1', [rogerio.memberId])
    expect(expectOk(await exportOf(leavers())).body.result).toMatchObject({ amount: -24_061, 'bill-amount': 0 })
  })
})

describe('an unpaid leave', () => {
  const root = () => `/operator/v1/member/${nair.memberId}/unpaid-leave`
  const amountsOf = async (more: Json = {}) => {
    const { body } = await exportOf(more)
    return body.result === undefined ? body.code : [body.result.amount, body.result['bill-amount']]
  }

  test('on the day of the payroll is billed, waits or has to be decided, by the profile', async () => {
    expectOk(await testApp.operator.put(root(), { 'first-day': '2026-11-01' }))
    await putProfile()
    expect(await amountsOf()).toBe('payroll-incomplete')
    const preview = expectOk(
      await testApp.operator.get(`/operator/v1/payroll?company-tax-id=${company.taxId}&reference-month=${month}`),
    ).body
    expect(preview.problems).toMatchObject([{ 'member-id': nair.memberId, code: 'unpaid-leave-unknown' }])
    await putProfile({ 'unpaid-leave': 'defer' })
    expect(await amountsOf()).toEqual([18_509 + 37_018, 0])
    expect(await amountsOf()).toBe('nothing-to-export')
    await putProfile({ 'unpaid-leave': 'bill' })
    expect(await amountsOf()).toEqual([0, 13_112])
  })

  test('that is over is deducted with the months that waited', async () => {
    expectOk(await testApp.operator.put(root(), { 'first-day': '2026-11-01', 'last-day': '2027-01-31' }))
    await putProfile({ 'unpaid-leave': 'defer' })
    const family = 18_509 + 37_018
    expect(await amountsOf()).toEqual([family, 0])
    expect(await amountsOf({ 'reference-month': '2026-12' })).toEqual([family, 0])
    expect(await amountsOf({ 'reference-month': '2027-01' })).toEqual([family, 0])
    expect(await amountsOf({ 'reference-month': '2027-02' })).toEqual([family + 4 * 13_112, 0])
  })

  test('of a person of two companies is of each of them', async () => {
    const [other, uninvolved] = [await testApp.company(), await testApp.company()]
    await testApp.sql(
      `insert into member (company_id, id, tax_id, name, mothers_name, date_of_birth, gender, created_at, updated_at)
       select $1, id, tax_id, name, mothers_name, date_of_birth, gender, now(), now() from member where id = $2`,
      [other.id, nair.memberId],
    )
    const leave = { 'first-day': '2026-11-01', 'last-day': null }
    const second = await testApp.partner(other.taxId)
    const path = `/v1/company/${other.taxId}/member/${nair.memberId}/unpaid-leave`
    expectOk(await second.put(path, leave))
    expect(expectOk(await second.get(path)).body.result).toEqual([leave])
    const unsaid = await testApp.operator.get(root())
    expect(unsaid).toMatchObject({ status: 400, body: { details: [{ field: 'company-tax-id', code: 'missing' }] } })
    const balance = await testApp.operator.get(`/operator/v1/member/${nair.memberId}/final-balance`)
    expect(balance.body).toMatchObject({ details: [{ field: 'company-tax-id', code: 'missing' }] })
    const ofCompany = (taxId: string) => `${root()}?company-tax-id=${taxId}`
    expect(expectOk(await testApp.operator.get(ofCompany(company.taxId))).body.result).toEqual([])
    expect(expectOk(await testApp.operator.get(ofCompany(other.taxId))).body.result).toEqual([leave])
    expect((await testApp.operator.put(ofCompany(uninvolved.taxId), leave)).body.code).toBe('member-not-found')
    expectOk(await testApp.operator.delete(`${ofCompany(other.taxId)}&first-day=2026-11-01`))
    expect(expectOk(await second.get(path)).body.result).toEqual([])
    await testApp.sql('delete from member where company_id = $1', [other.id])
  })

  test('is set, listed and deleted by operators and by the company, without a reason', async () => {
    const own = `/v1/company/${company.taxId}/member/${nair.memberId}/unpaid-leave`
    const leave = { 'first-day': '2026-11-01', 'last-day': '2026-11-20' }
    expect(expectOk(await partner.put(own, leave)).body.result).toEqual(leave)
    expect(expectOk(await testApp.operator.get(root())).body.result).toEqual([leave])
    for (const [body, field, code] of [
      [{ 'first-day': '2026-11-20' }, 'first-day', 'invalid'],
      [{ 'first-day': '2026-12-20', 'last-day': '2026-12-19' }, 'last-day', 'before-start-date'],
    ] as const) {
      expect((await partner.put(own, body)).body.details).toMatchObject([{ field, code }])
    }
    expect((await partner.put(own, { ...leave, reason: 'x' })).status).toBe(400)
    const other = await testApp.company()
    const stranger = await testApp.partner(other.taxId)
    expect((await stranger.get(own)).body.code).toBe('not-entitled')
    expect((await stranger.put(own, leave)).body.code).toBe('not-entitled')
    const foreign = `/v1/company/${other.taxId}/member/${nair.memberId}/unpaid-leave`
    expect((await stranger.get(foreign)).body.code).toBe('member-not-found')
    expect((await stranger.put(foreign, leave)).body.code).toBe('member-not-found')
    expect((await partner.delete(`${own}?first-day=2026-11-02`)).body.code).toBe('unpaid-leave-not-found')
    expect((await partner.delete(`${own}?first-day=2026-11-01`)).status).toBe(204)
    expect(expectOk(await partner.get(own)).body.result).toEqual([])
  })

  test('that is only a kind of contract is a problem, and decides nothing', async () => {
    await testApp.sql(`update member set details = details || '{"work-contract-type":"on-leave"}' where id = $1`, [
      nair.memberId,
    ])
    await putProfile()
    expect(await amountsOf()).toBe('payroll-incomplete')
    expect(await amountsOf({ skip: [nair.memberId] })).toEqual([18_509 + 37_018, 0])
  })
})
