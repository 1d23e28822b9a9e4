import { useLocalStorage } from '@mantine/hooks'

/** The CNPJ of the company that was chosen last in this browser; '' for none. */
export function useChosenCompany() {
  return useLocalStorage({ key: 'vigencia-company', defaultValue: '', getInitialValueInEffect: false })
}

/** The company that the pages are about: the chosen one, else the first. */
export function companyOf<T extends { readonly 'tax-id': string }>(companies: readonly T[], chosen: string): T | null {
  return companies.find((one) => one['tax-id'] === chosen) ?? companies[0] ?? null
}
