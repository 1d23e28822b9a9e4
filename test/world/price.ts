import { randomUUID } from 'node:crypto'
import { bands } from '../data/prices.ts'
import { makeContract } from './contract.ts'
import { insertBenefit, insertMember } from './roster.ts'
import { type Company, expectOk, health, type Json, nextCpf, type TestApp } from './test-app.ts'

export const planCode = 'AE1230'

/** A contract of the health plan whose prices can be calculated. */
export async function pricedContract(testApp: TestApp, company: Company, more: Json = {}): Promise<Json> {
  return makeContract(testApp, company, {
    plans: [{ 'product-id': company.products[health], 'carrier-plan-code': planCode }],
    'age-on': 'month-after-birthday',
    proration: 'none',
    ...more,
  })
}

/** Puts the ten bands as a price table of the contract. @returns it. */
export async function putBands(testApp: TestApp, contractId: string, more: Json = {}): Promise<Json> {
  const body = { 'contract-id': contractId, 'valid-from': '2026-01-01', kind: 'age-band-10', prices: bands, ...more }
  return expectOk(await testApp.operator.put(`/operator/v1/price-table/${randomUUID()}`, body)).body.result
}

/** A person with a cover. */
export interface PricedPerson {
  readonly name?: string
  readonly born: string
  readonly benefit?: Record<string, unknown>
  readonly costCenter?: string
  readonly employeeId?: string
}

/** Inserts a person with a benefit. @returns both ids. */
export async function insertPriced(
  testApp: TestApp,
  company: Company,
  { born, benefit = {}, ...person }: PricedPerson,
): Promise<{ readonly memberId: string; readonly benefitId: string }> {
  const memberId = await insertMember(testApp, company, { cpf: nextCpf(), ...person })
  await testApp.sql('update member set date_of_birth = $3 where company_id = $1 and id = $2', [
    company.id,
    memberId,
    born,
  ])
  return {
    memberId,
    benefitId: await insertBenefit(testApp, company, memberId, { start_date: '2020-01-01', ...benefit }),
  }
}
