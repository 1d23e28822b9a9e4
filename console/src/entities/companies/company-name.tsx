import { useOperation } from '../../api/use-operation.ts'
import { TextValue } from '../../components/value.tsx'

/** The name of a company, by its CNPJ. */
export function CompanyName({ taxId }: { readonly taxId: string }) {
  const company = useOperation('readAnyCompany', { path: [taxId] })
  return <TextValue value={company.data?.result.name} />
}
