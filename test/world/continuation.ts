import {
  type Client,
  type Company,
  dependent,
  expectOk,
  health,
  inProduct,
  type Json,
  primary,
  type TestApp,
} from './test-app.ts'

/** A primary with a child, both in the health plan since the admission. */
export interface Family {
  readonly cpf: string
  readonly child: string
  readonly benefitId: string
}

export async function makeFamily(testApp: TestApp, company: Company, partner: Client): Promise<Family> {
  const products = inProduct('health-insurance', health, 'on-admission-date')
  const mother = primary({ 'admission-date': '2025-01-10', products })
  const child = dependent(mother['tax-id'], { products })
  await testApp.include(partner, company, [mother, child], '?resolution=approve')
  const [benefit] = await benefitsOf(partner, mother['tax-id'])
  return { cpf: mother['tax-id'], child: child['tax-id'], benefitId: benefit!['benefit-id'] }
}

/** The benefits of a person, also those that have ended. */
export async function benefitsOf(partner: Client, cpf: string): Promise<Json[]> {
  const path = `/v1/benefit?member-tax-id=${cpf}&include-inactive=true`
  return expectOk(await partner.get(path)).body.result
}

/** The body of a new continuation of the family. */
export const continuationBody = ({ benefitId }: Pick<Family, 'benefitId'>, more: Json = {}): Json => ({
  'benefit-id': benefitId,
  ground: 'dismissal',
  'contribution-months': 40,
  'leaving-date': '2026-11-30',
  ...more,
})

export async function createContinuation(
  testApp: TestApp,
  family: Pick<Family, 'benefitId'>,
  more: Json = {},
): Promise<Json> {
  const body = continuationBody(family, more)
  return expectOk(await testApp.operator.post('/operator/v1/continuation', body)).body.result
}

/** Excludes the primary from the health plan; the exclusion completes at once. */
export async function excludePrimary(partner: Client, company: Company, cpf: string, details: Json): Promise<Json> {
  const path = `/v1/enrollment/exclusion/${cpf}/product/${company.products[health]}?resolution=approve`
  const body = { 'end-date': '2026-11-30', 'exclusion-reason': 'dismissal', ...details }
  return expectOk(await partner.post(path, { 'exclusion-details': body })).body
}
