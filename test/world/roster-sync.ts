import { type Client, type Company, expectOk } from './test-app.ts'

/** The body of a roster sync whose list is complete in nothing. */
export const syncBody = (company: Company) => ({ 'company-tax-id': company.taxId, states: [] as string[] })

/** A roster sync that waits for its list. @returns its id. */
export async function rosterSync(partner: Client, company: Company): Promise<string> {
  const { result } = expectOk(await partner.post('/v1/roster-sync', syncBody(company))).body
  return result['roster-sync-id']
}
