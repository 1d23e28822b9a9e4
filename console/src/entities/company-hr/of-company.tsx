import type { Company } from '@vigencia/client'
import type { ReactNode } from 'react'
import { Empty, QueryView } from '../../components/state-view.tsx'
import { MovementClientProvider } from '../movement-forms/client.ts'
import { companyMovements } from './movement-client.ts'
import { useCompanies, useCompany } from './use-company.ts'

/** What is of the company that was chosen. With another one it begins again. Its forms call the partner API. */
export function OfCompany({ children }: { readonly children: (company: Company) => ReactNode }) {
  const { company } = useCompany()
  return (
    <QueryView query={useCompanies()}>
      {() =>
        company === null ? (
          <Empty />
        ) : (
          <MovementClientProvider value={companyMovements}>
            <div key={company['tax-id']}>{children(company)}</div>
          </MovementClientProvider>
        )
      }
    </QueryView>
  )
}
