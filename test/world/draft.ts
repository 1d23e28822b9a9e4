import { randomUUID } from 'node:crypto'
import { type Company, expectOk, type TestApp, primary } from './test-app.ts'

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
