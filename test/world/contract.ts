import { type Company, expectOk, type Json, type TestApp } from './test-app.ts'

export const carrierName = 'Operadora Aurora'

/** The body of a contract of the company. */
export function contractBody(company: Company, more: Record<string, unknown> = {}): Json {
  return { 'company-tax-id': company.taxId, 'carrier-name': carrierName, 'contract-number': '900001', ...more }
}

/** A calendar with a cut-off day of the month. */
export const calendar = (day: number, more: Record<string, unknown> = {}): Json => ({
  'cut-off-day': day,
  'coverage-day': 1,
  'coverage-month-offset': 1,
  ...more,
})

/** Creates a contract of the company. */
export async function makeContract(
  { operator }: TestApp,
  company: Company,
  more: Record<string, unknown> = {},
): Promise<Json> {
  return expectOk(await operator.post('/operator/v1/contract', contractBody(company, more))).body.result
}
