import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { pricesOf } from '../data/prices.ts'
import { closeMonth, insertCarrierFile } from './carrier-file-rows.ts'
import { calendar } from './contract.ts'
import { insertPriced, planCode, pricedContract } from './price.ts'
import { type Company, expectOk, type Json, type TestApp } from './test-app.ts'

export const payrollProfile = {
  'layout-id': 'payroll-csv',
  events: { primary: '7611', dependent: '7612', coparticipation: '7613' },
}

/** A company with a profile and a closed month in which an employee pays 50.00. @param unnumbered the name of another one, without a number. */
export async function payrollOfMonth(
  testApp: TestApp,
  unnumbered?: string,
): Promise<{
  readonly company: Company
  /** The export as the response has it. */
  readonly body: Json
}> {
  const month = '2026-10'
  const company = await testApp.company()
  const { 'contract-id': contractId } = await pricedContract(testApp, company)
  const { benefitId } = await insertPriced(testApp, company, { born: '1990-01-01', employeeId: '100' })
  const lines = [{ amount: 25_000, employeeAmount: 5_000, benefitId }]
  if (unnumbered !== undefined) {
    const other = await insertPriced(testApp, company, { born: '1990-01-01', name: unnumbered })
    lines.push({ amount: 25_000, employeeAmount: 5_000, benefitId: other.benefitId })
  }
  await insertCarrierFile(testApp, company, contractId, { month, lines })
  await closeMonth(testApp, company, month)
  expectOk(await testApp.operator.put(`/operator/v1/company/${company.taxId}/payroll-profile`, payrollProfile))
  return { company, body: { 'company-tax-id': company.taxId, 'reference-month': month } }
}

/** A company whose employees are priced: 30 % of 455.16 and 60 % of the dependent's 218.40, and 30 % of 262.08 of a partner, who is not on the payroll. */
export async function pricedPayroll(
  testApp: TestApp,
): Promise<{ readonly company: Company; readonly contractId: string }> {
  const company = await testApp.company()
  const { 'contract-id': contractId } = await pricedContract(testApp, company, {
    proration: 'daily-30',
    calendar: calendar(18),
  })
  const from = { 'contract-id': contractId, 'valid-from': '2026-02-01' }
  const amounts = [21_840, 26_208, 31_974, 37_120, 39_804, 45_516, 56_190, 64_057, 82_953, 130_236]
  expectOk(
    await testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, {
      ...from,
      kind: 'age-band-10',
      'carrier-plan-code': planCode,
      prices: pricesOf('age-band-10', amounts),
    }),
  )
  expectOk(
    await testApp.operator.put(`/operator/v1/contribution-rule/${randomUUID()}`, {
      ...from,
      'primary-employee-share': { 'basis-points': 3_000 },
      'dependent-employee-share': { 'basis-points': 6_000 },
      'coparticipation-employee-share': { 'basis-points': 10_000 },
    }),
  )
  const { memberId: primaryId } = await insertPriced(testApp, company, {
    name: 'Teresa Nogueira Prates',
    born: '1986-12-14',
    employeeId: '10077',
  })
  await insertPriced(testApp, company, {
    name: 'Otávio Prates Lima',
    born: '2019-05-02',
    benefit: { type: 'dependent', dependent_type: 'child', primary_member_id: primaryId },
  })
  const davi = await insertPriced(testApp, company, {
    name: 'Davi Sampaio Coutinho',
    born: '2003-01-30',
    employeeId: '20419',
  })
  await testApp.sql(`update member set details = details || '{"work-contract-type":"partner"}' where id = $1`, [
    davi.memberId,
  ])
  return { company, contractId }
}

/** Inserts an export in which an employee pays 51.00. @returns its id. */
export async function insertExport(testApp: TestApp, company: Company, memberId: string): Promise<string> {
  const id = uuidv7()
  await testApp.sql(
    `with export as (
       insert into payroll_export (company_id, id, reference_month, number, layout_id, layout_version, created_by, created_at)
       values ($1, $2, '2026-10', 1, 'payroll-csv', 1, 'x', now()) returning company_id, id)
     insert into payroll_export_line (company_id, export_id, member_id, kind, product_type, origin_month, event, amount, due, people)
     select company_id, id, $3, 'primary', 'health-insurance', '2026-10', '7611', 5100, 5100,
       jsonb_build_array(jsonb_build_object('memberId', $3::uuid, 'contractId', null, 'amount', 5100)) from export`,
    [company.id, id, memberId],
  )
  return id
}
