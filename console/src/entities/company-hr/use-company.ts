import type { Company } from '@vigencia/client'
import { companyOf, useChosenCompany } from './chosen-company.ts'
import { companyQuery, useCompanyOperation } from './client.ts'

/** More than people have. */
const parameters = { query: { 'items-per-page': 500 } }

export const companiesQuery = companyQuery('listCompanies', parameters)

export const useCompanies = (isEnabled = true) =>
  useCompanyOperation('listCompanies', parameters, { enabled: isEnabled })

/** The company that the pages are about; null while the companies are loaded, and of a person without one. @param isEnabled false for operators, whom the partner API refuses. */
export function useCompany(isEnabled = true): {
  readonly company: Company | null
  readonly companies: readonly Company[]
  readonly choose: (taxId: string) => void
} {
  const [chosen, choose] = useChosenCompany()
  const companies = useCompanies(isEnabled).data?.result ?? []
  return { company: companyOf(companies, chosen), companies, choose }
}
