import { Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOperation } from '../../api/use-operation.ts'
import { TextLink } from '../../components/link.tsx'
import { NumberValue } from '../../components/value.tsx'
import type { Permission } from '../../session/permissions.ts'
import { usePermission } from '../../session/use-permission.ts'

const lists = [
  // The queue shows open movements.
  { name: 'movements', to: '/queue', operation: 'listEnrollmentQueue', counted: { status: 'open' } },
  { name: 'requests', to: '/requests', operation: 'listAllRequests' },
  { name: 'members', to: '/members', operation: 'searchMembers' },
  { name: 'invoices', to: '/invoices', operation: 'listAllInvoices' },
  { name: 'payroll', to: '/payroll', operation: 'listPayrollExports' },
] as const satisfies readonly { name: string; to: string; operation: Permission; counted?: object }[]

/** The lists of what the company has, each with its number. */
export function CompanyLists({ taxId }: { readonly taxId: string }) {
  const { t } = useTranslation('companies')
  return (
    <Group component="nav" aria-label={t('lists')} gap="lg" mt="md">
      {lists.map((list) => (
        <CompanyList key={list.name} taxId={taxId} {...list} />
      ))}
    </Group>
  )
}

function CompanyList(props: (typeof lists)[number] & { readonly taxId: string }) {
  const { taxId, name, to, operation } = props
  const counted = 'counted' in props ? props.counted : {}
  const { t } = useTranslation('companies')
  const mayRead = usePermission(operation)
  const query = { 'company-tax-id': taxId }
  const count = useOperation(operation, { query: { ...query, ...counted, 'items-per-page': 1 } }, { enabled: mayRead })
  if (!mayRead) return null
  return (
    <TextLink to={to} search={query}>
      {t(name)} (<NumberValue value={count.data?.pagination['total-items']} />)
    </TextLink>
  )
}
