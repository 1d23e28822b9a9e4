import { randomUUID } from 'node:crypto'
import { type Client, type Company, expectOk, type TestApp, primary } from './test-app.ts'

/** Open drafts of exclusions of benefits of new members. @returns the paths of the operations on them. */
export async function openDrafts(testApp: TestApp, company: Company, count: number): Promise<string[]> {
  const partner = await testApp.partner(company.taxId)
  const members = Array.from({ length: count }, () => primary())
  await testApp.include(partner, company, members, '?resolution=approve')
  const paths = []
  for (const member of members) {
    const { result } = expectOk(await partner.get(`/v1/member?filter=tax-id=${member['tax-id']}`)).body
    const id = randomUUID()
    await testApp.sql(
      `insert into draft_exclusion (company_id, id, benefit_id, cause, exclusion_reason, end_date, status, created_at, updated_at)
       values ($1, $2, $3, 'age-limit', 'loss-of-dependent-status', '2026-12-31', 'open', now(), now())`,
      [company.id, id, result[0].benefits[0]['benefit-id']],
    )
    paths.push(`/operator/v1/draft-exclusion/${id}`)
  }
  return paths
}

/** The body of a draft that asks the broker for another phone of people. */
export const draftBody = (company: Company, ...taxIds: readonly string[]) => ({
  'company-tax-id': company.taxId,
  movement: 'alteration',
  members: taxIds.map((cpf) => ({ 'tax-id': cpf, 'alteration-data': { phone: '11912345678' } })),
})

/** A draft of a company that waits for its broker. @returns its id. */
export async function movementDraft(partner: Client, company: Company, ...taxIds: readonly string[]): Promise<string> {
  const { result } = expectOk(await partner.post('/v1/movement-draft', draftBody(company, ...taxIds))).body
  return result['draft-id']
}
