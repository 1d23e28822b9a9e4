import { useLocalStorage } from '@mantine/hooks'
import type { Company } from '@vigencia/client'
import { useCompanyOperation } from './client.ts'

/** More than people have. */
const query = { 'items-per-page': 500 }

export const useCompanies = () => useCompanyOperation('listCompanies', { query })

/** The company that was chosen last in this browser, else the first; null while they are loaded, and of a person without one. */
export function useCompany(): {
  readonly company: Company | null
  readonly companies: readonly Company[]
  readonly choose: (taxId: string) => void
} {
  const [chosen, choose] = useLocalStorage({
    key: 'vigencia-company',
    defaultValue: '',
    getInitialValueInEffect: false,
  })
  const companies = useCompanies().data?.result ?? []
  const company = companies.find((one) => one['tax-id'] === chosen) ?? companies[0] ?? null
  return { company, companies, choose }
}
