import { closeMonth, insertCarrierFile } from './carrier-file-rows.ts'
import { insertPriced, pricedContract } from './price.ts'
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
  /** Of an export. */
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
