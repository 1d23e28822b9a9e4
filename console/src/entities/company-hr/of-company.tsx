import type { Company } from '@vigencia/client'
import type { ReactNode } from 'react'
import { Empty, QueryView } from '../../components/state-view.tsx'
import { useCompanies, useCompany } from './use-company.ts'

/** What is of the company that was chosen. With another one it begins again. */
export function OfCompany({ children }: { readonly children: (company: Company) => ReactNode }) {
  const { company } = useCompany()
  return (
    <QueryView query={useCompanies()}>
      {() => (company === null ? <Empty /> : <div key={company['tax-id']}>{children(company)}</div>)}
    </QueryView>
  )
}
