import { Anchor, List, Title } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { operationQuery } from '../../api/use-operation.ts'
import { DateValue, Value } from '../../components/value.tsx'
import { usePermission } from '../../session/use-permission.ts'
import { ContinuationStatusBadge } from '../continuations/status-badge.tsx'
import { Term } from '../continuations/term.tsx'
import type { Member } from './benefits.ts'

/** The plans that the person keeps after a dismissal or a retirement; nothing where there is none. */
export function MemberContinuations({ member }: { readonly member: Member }) {
  const { t } = useTranslation('continuations')
  const mayRead = usePermission('listAllContinuations')
  const taxIds = [...new Set(member.benefits.map((one) => one['company-tax-id']))]
  // The newest of each company of the person.
  const continuations = useQueries({
    queries: taxIds.map((taxId) => ({
      ...operationQuery('listAllContinuations', { query: { 'company-tax-id': taxId, 'items-per-page': 500 } }),
      enabled: mayRead,
    })),
  })
    .flatMap(({ data }) => data?.result ?? [])
    .filter((one) => one['member-id'] === member.id)
  if (continuations.length === 0) return null
  return (
    <section>
      <Title order={2} size="h4" mb="xs">
        {t('title')}
      </Title>
      <List size="sm" listStyleType="none">
        {continuations.map((one) => (
          <List.Item key={one['continuation-id']}>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/continuations/$continuationId"
                  params={{ continuationId: one['continuation-id'] }}
                  {...props}
                />
              )}
            >
              <Value>{one['product-name']}</Value>
            </Anchor>{' '}
            <ContinuationStatusBadge status={one.status} /> <Term months={one.months} withoutEnd={one['without-end']} />
            {one['term-end'] !== null && (
              <>
                {' · '}
                {t('termEnd')} <DateValue value={one['term-end']} />
              </>
            )}
          </List.Item>
        ))}
      </List>
    </section>
  )
}
