import { Text } from '@mantine/core'
import { Absent, CnpjValue } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'
import { TextLink } from '../../components/link.tsx'

interface Props {
  readonly taxId: string | null
  readonly name: string | null | undefined
}

/** The name of a company with its CNPJ. */
export function CompanyLabel({ taxId, name }: Props) {
  if (taxId === null) return <Absent />
  return (
    <span translate="no" title={`${name ?? ''} · ${formatCnpj(taxId)}`}>
      {name}{' '}
      <Text span inherit c="dimmed" className="nowrap">
        <CnpjValue value={taxId} />
      </Text>
    </span>
  )
}

/** The same as a link to the page of the company. */
export function CompanyLink({ taxId, name }: Props & { readonly taxId: string }) {
  return (
    <TextLink to="/companies/$taxId" params={{ taxId }} inherit>
      <CompanyLabel taxId={taxId} name={name} />
    </TextLink>
  )
}
