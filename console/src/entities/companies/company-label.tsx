import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { CnpjValue, Value } from '../../components/value.tsx'
import { formatCnpj } from '../../../../src/kernel/tax-id.ts'

interface Props {
  readonly taxId: string | null
  readonly name: string | null | undefined
}

/** The name of a company with its CNPJ. */
export function CompanyLabel({ taxId, name }: Props) {
  if (taxId === null) return <Value>—</Value>
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
    <Anchor inherit renderRoot={(props) => <Link to="/companies/$taxId" params={{ taxId }} {...props} />}>
      <CompanyLabel taxId={taxId} name={name} />
    </Anchor>
  )
}
