import type { Invoice } from '@vigencia/client'
import { useOperation } from '../../api/use-operation.ts'

/** The CNPJ of the company of an invoice, which an invoice names by id; null until it is known. */
export function useCompanyTaxId(invoice: Invoice | null): string | null {
  const query = { q: invoice?.['company-name'], 'items-per-page': 100 }
  const { data } = useOperation('searchCompanies', { query }, { enabled: invoice !== null })
  return data?.result.find(({ id }) => id === invoice?.['company-id'])?.['tax-id'] ?? null
}
