import type { QueryClient } from '@tanstack/react-query'
import { companyOf } from './chosen-company.ts'
import { companyApi } from './client.ts'
import { companiesQuery } from './use-company.ts'

/** How many movements of the chosen company wait for an answer. */
export async function pendingCount(queryClient: QueryClient, chosen: string): Promise<number> {
  const company = companyOf((await queryClient.ensureQueryData(companiesQuery)).result, chosen)
  if (company === null) return 0
  const counts = (['pending-documents', 'pending-correction'] as const).map(async (status) => {
    const query = { status, 'company-tax-id': company['tax-id'], page: 1, 'items-per-page': 1 }
    const { pagination } = await companyApi.operations.request('listEnrollmentHistory', { query })
    return pagination['total-items']
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}
